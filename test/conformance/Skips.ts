import type { Scenario } from "./Feature.ts"
import type { Backend } from "./Options.ts"

/** The options of a run that determine which scenarios are skipped. */
export interface Setting {
  /** whether the empty graph stores null as a property value */
  readonly allowNull: boolean
  readonly backend: Backend
}

interface Rule {
  readonly applies: (scenario: Scenario, setting: Setting) => boolean
  readonly reason: string
}

/**
 * Scenarios that cannot pass on a graph with the features of JanusGraph, by parts of their keys, with the reason. Such a graph
 * generates its ids, and its schema remains when all elements are dropped.
 */
const onCells: ReadonlyArray<readonly [keys: ReadonlyArray<string>, reason: string]> = [
  [
    [
      "map/AddVertex#g_addV_propertyXid_1X",
      "map/AddVertex#g_addV_propertyXidvar_1varX",
      "map/MergeEdge#g_mergeE_with_eid_specified_and_inheritance",
      "map/MergeVertex#g_mergeV_onCreate_inheritance"
    ],
    "gives the id of a new element, which the graph does itself"
  ],
  [
    [
      "map/AsString#g_V_asString",
      "map/AsString#g_V_fold_asStringXlocalX_orderXlocalX",
      "map/AsString#g_E_asString",
      "map/ConnectedComponent#g_V_hasLabelXsoftwareX_connectedComponent_project",
      "map/ConnectedComponent#g_V_connectedComponent_withXEDGES",
      "map/PeerPressure#g_V_peerPressure_withXpropertyName_clusterX",
      "map/PeerPressure#g_V_hasXname_rippleX_inXcreatedX_peerPressure",
      "semantics/Orderability#g_V_properties_order"
    ],
    "expects the ids that TinkerFactory gives the toy graph, or their order"
  ],
  [
    ["branch/Repeat#g_VX1_2_3X_repeatXboth_barrierX_emit_timesX2X_path", "integrated/Paths#g_V_playlist_paths"],
    "expects the edges of a vertex in the order in which TinkerGraph keeps them"
  ],
  [
    [
      "map/AddVertex#g_addVXanimalX_propertyXname_mateoX_propertyXname_gateoX",
      "map/AddVertex#g_V_addVXanimalX_propertyXname_valuesXnameXX_propertyXname_an_animalX",
      "map/AddVertex#g_V_hasXname_fooX_propertyXname_setXbarX_age_43X",
      "map/AddVertex#g_V_hasXname_fooX_propertyXset_name_bar_age_singleX43XX",
      "map/MergeVertex#g_mergeVXlabel_person_name_stephenX_propertyXlist_name_steveX",
      "map/MergeVertex#g_withSideEffectXc_label_person_name_markoX_withSideEffectXm_age_19X",
      "map/MergeVertex#g_withSideEffectXm_age_19X_V_hasXperson_name_markoX_mergeVXselectXcXX",
      "map/MergeVertex#g_mergeVXname_markoX_optionXonMatch_age_",
      "map/MergeVertex#g_mergeVXname_markoX_optionXonMatch_name_allen_age_",
      "map/MergeVertex#g_mergeVXname_aliceX_optionXonCreate_age_"
    ],
    "gives a key several values that the schema has with one value, as other scenarios do"
  ],
  [
    [
      "map/MergeEdge#g_mergeEXlabel_knows_out_marko_in_vadasX_optionXonCreate_created_YX_optionXonMatch_created_NX_exists",
      "map/MergeEdge#g_V_hasXperson_name_marko_X_mergeEXlabel_knowsX_optionXonCreate_created_YX",
      "map/MergeEdge#g_mergeEXlabel_knows_in_vadasX_optionXonCreate_created_YX",
      "map/MergeEdge#g_mergeEXlabel_knows_out_vadasX_optionXonCreate_created_YX",
      "map/MergeEdge#g_mergeEXout_vadasX_optionXonCreate_created_YX",
      "map/MergeEdge#g_withSideEffect_mergeEXout_vadasX_optionXonCreate_created_YX",
      "map/MergeEdge#g_withSideEffectXc_created_YX_withSideEffectXm_matchedX_mergeEXlabel_knows_out_marko",
      "map/MergeEdge#g_unionXselectXmapX_selectXmapX_constantXcreated_NXX_fold_asXmX_mergeEXselectXmX",
      "map/MergeVertex#g_injectXlist1_list2_list3X_fold_asXmX_mergeVXselectXmX"
    ],
    "has the property key created, which other scenarios have as an edge label: a name is one or the other"
  ],
  [
    ["map/DateDiff#g_V_hasXname_aliceX_valuesXbirthdayX_asDate_dateDiffXconstantXnullXX"],
    "has numbers under a key that other scenarios have with texts, so that they become texts"
  ],
  [
    [
      "map/Count#g_V_order_byXlangX_count",
      "map/Order#g_V_order_byXageX",
      "map/Order#g_V_orXhasLabelXpersonX_hasXsoftware_name_lopXX_order_byXageX",
      "sideEffect/Aggregate#g_withSideEffectXa_1_2_3_assignX_V_order_byXageX_localXaggregateX_aX_byXageXX_capXaX"
    ],
    "expects that order() directly after V() leaves out vertices without the key, which it keeps there, as in JanusGraph"
  ]
]

/** Scenarios whose result depends on the order of ids. Cassandra returns elements in the order of the hashes of their keys. */
const onCql: ReadonlyArray<string> = [
  "integrated/ProductiveByStrategy#g_withStrategiesXProductiveByStrategyX_V_group_byXageX_byXnameX",
  "sideEffect/Group#g_V_group_byXlabelX_byXbothE_groupXaX_byXlabelX_byXweight_sumX_weight_sumX",
  "sideEffect/Tree#g_V_out_order_byXnameX_localXtreeXaX_selectXaX_countXlocalXX"
]

/** The reasons to skip a scenario. Connection.ts also skips scenarios whose parameters cannot be sent. */
const rules: ReadonlyArray<Rule> = [
  {
    applies: (scenario) => scenario.steps.some((step) => step.text === "an unsupported test"),
    reason: "the suite itself marks the scenario as one that Gherkin cannot express"
  },
  {
    applies: (scenario, setting) => scenario.tags.includes("@AllowNullPropertyValues") && !setting.allowNull,
    reason: "needs a graph that stores null as a property value; run with --allow-null"
  },
  {
    applies: (scenario, setting) => scenario.tags.includes("@DisallowNullPropertyValues") && setting.allowNull,
    reason: "needs a graph that does not store null as a property value; run without --allow-null"
  },
  {
    applies: ({ key }, { backend }) => backend === "cql" && onCql.includes(key),
    reason: "expects lists, sums of decimals or a growing tree in the order of the elements' ids"
  },
  ...onCells.map(([keys, reason]) => ({
    applies: ({ key }: Scenario, { backend }: Setting) =>
      backend !== "memory" && keys.some((each) => key.startsWith(each)),
    reason
  }))
]

/** The reason to skip a scenario, or undefined if it runs. */
export const skipReason = (scenario: Scenario, setting: Setting): string | undefined =>
  rules.find((rule) => rule.applies(scenario, setting))?.reason
