// Drives a server with gremlin-go; the first argument is its URL. With a user, a password and a file of certificates, only checks
// them. Says what is wrong, and ends with 1, where it is not as expected.
package main

import (
	"fmt"
	"io"
	"net"
	urls "net/url"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"

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

// way forwards connections to the server until they are cut.
type way struct {
	listener net.Listener
	mutex    sync.Mutex
	open     []net.Conn
}

func newWay(target string) *way {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check("listen", err)
	made := &way{listener: listener}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			check("forward", err)
			made.mutex.Lock()
			made.open = append(made.open, client, server)
			made.mutex.Unlock()
			go func() { _, _ = io.Copy(server, client); server.Close() }()
			go func() { _, _ = io.Copy(client, server); client.Close() }()
		}
	}()
	return made
}

func (w *way) cut() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, connection := range w.open {
		connection.Close()
	}
	w.open = nil
}

// lose begins a transaction, changes the graph, and cuts the connection.
func lose(url string, cuts *way) (*gremlingo.Transaction, *gremlingo.GraphTraversalSource, *gremlingo.DriverRemoteConnection) {
	remote, err := gremlingo.NewDriverRemoteConnection(url, func(settings *gremlingo.DriverRemoteConnectionSettings) {
		settings.TraversalSource = "gtx"
		settings.LogVerbosity = gremlingo.Off
	})
	check("connect", err)
	transaction := gremlingo.Traversal_().WithRemote(remote).Tx()
	inside, err := transaction.Begin()
	check("begin", err)
	check("add", <-inside.AddV("lost").Iterate())
	cuts.cut()
	time.Sleep(200 * time.Millisecond)
	return transaction, inside, remote
}

// lost checks that no transaction whose connection was lost can be committed: the driver connects again by itself.
func lost(url string) {
	parsed, err := urls.Parse(url)
	check("url", err)
	cuts := newWay(parsed.Host)
	cuttable := "ws://" + cuts.listener.Addr().String() + "/gremlin"
	text := "has ended without a commit"
	for _, end := range []func(*gremlingo.Transaction, *gremlingo.GraphTraversalSource) error{
		func(transaction *gremlingo.Transaction, _ *gremlingo.GraphTraversalSource) error {
			return transaction.Commit()
		},
		func(_ *gremlingo.Transaction, inside *gremlingo.GraphTraversalSource) error {
			return <-inside.AddV("lost").Iterate()
		},
	} {
		transaction, inside, remote := lose(cuttable, cuts)
		err := end(transaction, inside)
		expect(fmt.Sprintf("lost: %v", err), err != nil && strings.Contains(err.Error(), text), true)
		// A program may repeat what failed.
		expect("lost again", end(transaction, inside) != nil, true)
		remote.Close()
	}
	transaction, _, remote := lose(cuttable, cuts)
	check("rollback of a lost transaction", transaction.Rollback())
	remote.Close()
	cuts.listener.Close()
}

// expectVertices checks the number of vertices of a graph.
func expectVertices(g *gremlingo.GraphTraversalSource, wanted int64) {
	count, err := g.V().Count().Next()
	check("count", err)
	number, err := count.GetInt64()
	check("count", err)
	expect("count", number, wanted)
}

func main() {
	url := os.Args[1]
	if len(os.Args) > 2 {
		authenticate(url, os.Args[2], os.Args[3], trusting(os.Args[4]))
		return
	}
	remote, err := gremlingo.NewDriverRemoteConnection(url)
	check("connect", err)
	g := gremlingo.Traversal_().WithRemote(remote)

	expectVertices(g, 6)
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
	lost(url)
}
