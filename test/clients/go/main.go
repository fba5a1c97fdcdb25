// Drives a server with gremlin-go; the first argument is its URL. Says what is wrong, and ends with 1, where it is not as
// expected.
package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

func expect(what string, got any, wanted any) {
	if !reflect.DeepEqual(got, wanted) {
		fmt.Printf("%s: %v, not %v\n", what, got, wanted)
		os.Exit(1)
	}
}

func check(what string, err error) {
	if err != nil {
		fmt.Printf("%s: %v\n", what, err)
		os.Exit(1)
	}
}

func texts(what string, results []*gremlingo.Result, err error) []string {
	check(what, err)
	found := []string{}
	for _, result := range results {
		found = append(found, result.GetString())
	}
	return found
}

func main() {
	url := os.Args[1]
	remote, err := gremlingo.NewDriverRemoteConnection(url)
	check("connect", err)
	g := gremlingo.Traversal_().WithRemote(remote)

	count, err := g.V().Count().Next()
	check("count", err)
	number, err := count.GetInt64()
	check("count", err)
	expect("count", number, int64(6))
	names, err := g.V().Has("name", "marko").Out("knows").Order().By("name").Values("name").ToList()
	expect("names", texts("names", names, err), []string{"josh", "vadas"})
	vertex, err := g.V(1).Next()
	check("vertex", err)
	element, err := vertex.GetVertex()
	check("vertex", err)
	expect("vertex", element.Label, "person")
	check("iterate", <-g.AddV("person").Property("name", "go").Iterate())
	added, err := g.V().Has("name", "go").HasNext()
	check("added", err)
	expect("added", added, true)
	check("drop", <-g.V().Has("name", "go").Drop().Iterate())
	_, err = g.V().Fail("no luck").ToList()
	expect("fail", err != nil && strings.Contains(err.Error(), "no luck"), true)

	client, err := gremlingo.NewClient(url)
	check("client", err)
	options := new(gremlingo.RequestOptionsBuilder).SetBatchSize(2).SetEvaluationTimeout(5000).AddBinding("x", 1).Create()
	set, err := client.SubmitWithOptions("g.V().has('age').values('name')", options)
	check("script", err)
	results, err := set.All()
	expect("script", len(texts("script", results, err)), 4)
	client.Close()

	txRemote, err := gremlingo.NewDriverRemoteConnection(url, func(settings *gremlingo.DriverRemoteConnectionSettings) {
		settings.TraversalSource = "gtx"
	})
	check("connect", err)
	outside := gremlingo.Traversal_().WithRemote(txRemote)
	transaction := outside.Tx()
	inside, err := transaction.Begin()
	check("begin", err)
	check("add", <-inside.AddV("held").Iterate())
	seen, err := outside.V().HasNext()
	check("outside", err)
	expect("outside", seen, false)
	check("commit", transaction.Commit())
	seen, err = outside.V().HasNext()
	check("committed", err)
	expect("committed", seen, true)
	txRemote.Close()
	remote.Close()
}
