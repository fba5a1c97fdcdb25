import { describe, expect, it } from "vitest"
import { CellPacker, noCells } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { readAny, writeAny } from "../../../../src/storage/janusgraph/format/Attributes.ts"
import { ByteReader } from "../../../../src/storage/janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { claimColumn, claimKey, readClaim } from "../../../../src/storage/janusgraph/format/IdBlocks.ts"
import { canonicalId, isSchemaId, type VertexId } from "../../../../src/storage/janusgraph/format/Ids.ts"
import {
  readEdgeEntry,
  readIndexColumn,
  readIndexKey,
  writeEdgeEntry,
  writeIndexColumn,
  writeIndexKey,
  writeVertexEntry
} from "../../../../src/storage/janusgraph/format/IndexCells.ts"
import { StoredArray } from "../../../../src/storage/janusgraph/format/JavaValues.ts"
import { edgeIdText, parseRelationId, propertyIdText } from "../../../../src/storage/janusgraph/format/RelationIds.ts"
import { decodeRelation, encodeRelation, type Relation } from "../../../../src/storage/janusgraph/format/Relations.ts"
import {
  schemaCategory,
  schemaName,
  vertexExists,
  vertexLabelEdge
} from "../../../../src/storage/janusgraph/format/RelationTypes.ts"
import { idOfRowKey, rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import type { Schema } from "../../../../src/storage/janusgraph/schema/Schema.ts"
import { buildSchema } from "../../../../src/storage/janusgraph/schema/SchemaRead.ts"
import { readSchemaVertex } from "../../../../src/storage/janusgraph/schema/SchemaVertex.ts"
import { Geoshape } from "../../../../src/structure/geoshapes/Geoshape.ts"
import { Double, Float } from "../../../../src/structure/numbers/Numbers.ts"
import { Char } from "../../../../src/structure/scalars/Char.ts"
import { Uuid } from "../../../../src/structure/scalars/Uuid.ts"
import { Duration, Temporal, Timestamp } from "../../../../src/structure/times/Temporal.ts"
import { type DumpedCell, dumpedCells, expectedGraph } from "../Fixtures.ts"

const PARTITION_BITS = 5

const rowsOf = (cells: ReadonlyArray<DumpedCell>): ReadonlyMap<VertexId, ReadonlyArray<DumpedCell>> => {
  const rows = new Map<VertexId, Array<DumpedCell>>()
  for (const cell of cells) {
    const id = idOfRowKey(cell.key, PARTITION_BITS)
    expect(rowKey(id, PARTITION_BITS)).toEqual(cell.key)
    rows.set(id, [...(rows.get(id) ?? []), cell])
  }
  return rows
}

const schemaOf = (rows: ReadonlyMap<VertexId, ReadonlyArray<DumpedCell>>): Schema =>
  buildSchema(
    1,
    [...rows]
      .filter(([id]) => isSchemaId(id))
      .map(([id, cells]) => {
        const packer = new CellPacker()
        for (const { column, value } of cells) packer.add(column, value)
        return readSchemaVertex(Number(id), packer.length === 0 ? noCells : packer.take())
      })
  )

const decode = ({ column, value }: DumpedCell, schema: Schema): Relation => {
  const bytes = Buffer.concat([column, value])
  return decodeRelation(bytes, 0, column.length, bytes.length, schema.type)
}

const encode = (relation: Relation): readonly [string, string] => {
  const writer = new ByteWriter()
  const columnEnd = encodeRelation(writer, relation)
  return [writer.copy(0, columnEnd).toString("hex"), writer.copy(columnEnd).toString("hex")]
}

/** A value as text, in the format of the description of the graph. */
const described = (value: unknown): unknown => {
  if (typeof value === "bigint") return String(value)
  if (value instanceof Double || value instanceof Float) return described(value.value)
  if (typeof value === "number") return Number.isNaN(value) ? "NaN" : value
  if (value instanceof Uuid || value instanceof Char) return value.text
  if (value instanceof Temporal) return value.text
  if (value instanceof Timestamp) return String(value.epochMillis)
  if (typeof value === "object" && value !== null && "value" in value) return described(value.value)
  return value
}

const comparable = (value: unknown): boolean =>
  !(
    value instanceof StoredArray ||
    value instanceof Uint8Array ||
    value instanceof Geoshape ||
    value instanceof Duration
  ) && !(typeof value === "string" && value.length > 300)

describe.each(["jgfmt", "jgstr"])("The tables that JanusGraph wrote (%s)", (name) => {
  const cells = dumpedCells(`${name}.edgestore.csv`)
  const rows = rowsOf(cells)
  const schema = schemaOf(rows)
  const expected = expectedGraph(name)

  it("have cells of edgestore that are decoded and encoded to the same bytes", () => {
    let compressed = 0
    for (const cell of cells) {
      const relation = decode(cell, schema)
      const [column, value] = encode(relation)
      expect(column).toBe(cell.column.toString("hex"))
      // The bytes of a compressed string depend on the implementation of gzip.
      if (typeof relation.value === "string" && relation.value.length > 16_000) {
        compressed++
        const again = decode({ ...cell, value: Buffer.from(value, "hex") }, schema)
        expect(again.value).toBe(relation.value)
        expect(again.relation).toBe(relation.relation)
      } else expect(value).toBe(cell.value.toString("hex"))
    }
    expect(compressed).toBe(name === "jgfmt" ? 1 : 0)
  })

  it("contain the graph that JanusGraph reads", () => {
    const vertices = new Map<string, Array<readonly [VertexId, Relation]>>()
    const edges = new Map<string, readonly [VertexId, Relation]>()
    for (const [id, row] of rows) {
      if (isSchemaId(id)) continue
      const text = String(canonicalId(id, PARTITION_BITS))
      for (const cell of row) {
        const relation = decode(cell, schema)
        if (relation.prefix >= 4) continue
        if (relation.type.isKey || relation.type === vertexLabelEdge) {
          vertices.set(text, [...(vertices.get(text) ?? []), [id, relation]])
        } else if (!relation.isIn) edges.set(String(relation.relation), [id, relation])
      }
    }
    for (const vertex of expected.vertices) {
      const relations = vertices.get(vertex.id) ?? []
      expect(relations.some(([, { type, value }]) => type === vertexExists && value === true)).toBe(true)
      const label = relations.find(([, { type }]) => type === vertexLabelEdge)?.[1].other
      expect(label === undefined ? "vertex" : schema.vertexLabel(Number(label))?.name).toBe(vertex.label)
      const properties = relations.filter(([, { type }]) => schema.type(type.id) !== undefined)
      expect(properties.length).toBe(vertex.properties.length)
      for (const property of vertex.properties) {
        const [id, found] = properties.find(([, { relation }]) => String(relation) === property.relationId)!
        expect(found.type.name).toBe(property.key)
        expect(propertyIdText(found.relation, id, found.type.id)).toBe(property.id)
        expect(parseRelationId(property.id)).toEqual({
          relation: found.relation,
          out: id,
          type: found.type.id,
          into: undefined
        })
        if (comparable(found.value)) expect(described(found.value)).toBe(property.value)
        const meta = [...found.properties].map(([key, value]) => [key.name, described(value)])
        expect(Object.fromEntries(meta)).toEqual(property.meta ?? {})
      }
    }
    for (const edge of expected.edges) {
      const [id, found] = edges.get(edge.relationId)!
      expect([found.type.name, String(id), String(found.other)]).toEqual([edge.label, edge.out, edge.in])
      expect(edgeIdText(found.relation, id, found.type.id, found.other!)).toBe(edge.id)
      expect(parseRelationId(edge.id)).toEqual({
        relation: found.relation,
        out: id,
        type: found.type.id,
        into: found.other
      })
      const properties = [...found.properties].map(([key, value]) => [key.name, described(value)])
      expect(Object.fromEntries(properties)).toEqual(edge.properties)
    }
  })

  it("have cells of graphindex that are decoded and encoded to the same bytes", () => {
    const indexes = new Map(schema.indexes.map((index) => [index.id, index]))
    const system = new Map([
      [schemaName.id, schemaName],
      [schemaCategory.id, schemaCategory]
    ])
    const typesOf = (id: number) =>
      indexes.get(id)?.fields.map(({ dataType }) => dataType) ?? [system.get(id)!.dataType]
    for (const cell of dumpedCells(`${name}.graphindex.csv`)) {
      const { index: id, values } = readIndexKey(cell.key, typesOf)
      const index = indexes.get(id)
      const writer = new ByteWriter()
      writeIndexKey(writer, id, typesOf(id), values)
      expect(writer.copy()).toEqual(cell.key)
      const cardinality = index?.cardinality ?? (id === schemaName.id ? "SINGLE" : "LIST")
      const { element, relations } = readIndexColumn(cell.column, cardinality)
      const reader = new ByteReader(cell.value)
      const entry = index?.element === "edge" ? readEdgeEntry(reader) : undefined
      const vertex = entry === undefined ? reader.vertexId() : undefined
      writeIndexColumn(writer.reset(), cardinality, element ?? 0, relations)
      expect(writer.copy()).toEqual(cell.column)
      writer.reset()
      if (entry !== undefined) {
        writeEdgeEntry(writer, entry.relation, entry.out, entry.type, entry.into)
        expect(entry.relation).toBe(element)
      } else {
        writeVertexEntry(writer, vertex!)
        if (element !== undefined) expect(vertex).toBe(element)
        expect(rows.has(vertex!)).toBe(true)
      }
      expect(writer.copy()).toEqual(cell.value.subarray(0, writer.length))
      expect(reader.more).toBe(cell.value.length > writer.length)
    }
  })

  it("have claims of id blocks that are decoded and encoded to the same bytes", () => {
    for (const { key, column, value } of dumpedCells(`${name}.janusgraph_ids.csv`)) {
      const claim = readClaim(column)
      expect(claim.instance).toMatch(/^(fmt|str)-/)
      expect(claimColumn(claim)).toEqual(column)
      expect(value.length).toBe(0)
      const kinds = ["vertex", "unmodifiableVertex", "partitionedVertex", "relation", "schema"] as const
      expect(claimKey(kinds[key.readUInt32BE(4)]!, key[0]! >> 3, PARTITION_BITS)).toEqual(key)
    }
  })

  it("have values of the global configuration that can be decoded", () => {
    const options = new Map<string, unknown>()
    for (const { column, value } of dumpedCells(`${name}.system_properties.csv`)) {
      const reader = new ByteReader(value)
      const option = readAny(reader)
      expect(reader.more).toBe(false)
      options.set(column.toString("utf8"), option)
      const writer = new ByteWriter()
      writeAny(writer, option)
      expect(writer.copy()).toEqual(value)
    }
    expect(options.get("graph.janusgraph-version")).toBe("1.1.0")
    expect(options.get("graph.storage-version")).toBe("2")
  })
})

it("The schema of the dump is the schema that JanusGraph prints", () => {
  const schema = schemaOf(rowsOf(dumpedCells("jgfmt.edgestore.csv")))
  const index = (name: string) => {
    const { element, unique, fields, status, cardinality, inlineKeys } = schema.indexes.find(
      (each) => each.name === name
    )!
    const keys = fields.map((key) => key.name)
    return [element, unique, keys, status, cardinality, inlineKeys.map((key) => key.name)]
  }
  expect(index("byName")).toEqual(["vertex", false, ["name"], "ENABLED", "SET", []])
  expect(index("bySsnUnique")).toEqual(["vertex", true, ["ssn"], "ENABLED", "SINGLE", []])
  expect(index("byNameAge")).toEqual(["vertex", false, ["name", "age"], "ENABLED", "SET", []])
  expect(index("byTag")).toEqual(["vertex", false, ["tag"], "ENABLED", "LIST", []])
  expect(index("byNameInline")).toEqual(["vertex", false, ["name"], "ENABLED", "SET", ["age"]])
  expect(index("edgeBySince")[0]).toBe("edge")
  const person = schema.indexes.find(({ name }) => name === "personByAge")!.onlyLabel
  expect(schema.vertexLabel(person!)?.name).toBe("person")
  const label = (name: string) => {
    const { multiplicity, unidirected, sortKey, signature, descending } = schema.labels.get(name)!
    return [multiplicity, unidirected, sortKey.map((key) => key.name), signature.map((key) => key.name), descending]
  }
  expect(label("knows")).toEqual(["MULTI", false, [], [], false])
  expect(label("boss")).toEqual(["MANY2ONE", false, [], [], false])
  expect(label("follows")).toEqual(["MULTI", true, [], [], false])
  expect(label("visited")).toEqual(["MULTI", false, ["when"], ["weight"], false])
  expect(label("rated")).toEqual(["MULTI", false, ["since", "weight"], [], true])
  expect([...schema.vertexLabels.values()].find(({ name }) => name === "hub")?.partitioned).toBe(true)
  expect([...schema.vertexLabels.values()].find(({ name }) => name === "fixed")?.static).toBe(true)
  expect(schema.keys.get("nick")?.cardinality).toBe("SET")
  expect(schema.keys.get("pAny")?.dataType.name).toBe("Object")
  const copies = schema.relationIndexes.map(({ base, direction, type }) => [
    schema.type(base)?.name,
    direction,
    type.sortKey.map((key) => key.name),
    type.descending
  ])
  expect(copies.sort()).toEqual([
    ["knows", "BOTH", ["since"], true],
    ["score", "OUT", ["weight"], false]
  ])
})
