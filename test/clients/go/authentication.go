package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"strings"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// trusting makes a TLS configuration that trusts the certificates in a file only.
func trusting(file string) *tls.Config {
	pem, err := os.ReadFile(file)
	check("certificate", err)
	pool := x509.NewCertPool()
	expect("certificate", pool.AppendCertsFromPEM(pem), true)
	return &tls.Config{RootCAs: pool}
}

// authenticate checks that a server with TLS lets in who has the right password, also in a transaction.
func authenticate(url, user, password string, configuration *tls.Config) {
	connect := func(password string, configuration *tls.Config) (*gremlingo.DriverRemoteConnection, error) {
		return gremlingo.NewDriverRemoteConnection(url, func(settings *gremlingo.DriverRemoteConnectionSettings) {
			settings.TlsConfig = configuration
			settings.AuthInfo = gremlingo.BasicAuthInfo(user, password)
			settings.LogVerbosity = gremlingo.Off
		})
	}
	remote, err := connect(password, configuration)
	check("connect", err)
	g := gremlingo.Traversal_().WithRemote(remote)
	expectVertices(g, 6)
	transaction := g.Tx()
	inside, err := transaction.Begin()
	check("begin", err)
	check("add", <-inside.AddV("held").Iterate())
	check("rollback", transaction.Rollback())
	remote.Close()

	remote, err = connect(password+"x", configuration)
	if err == nil {
		_, err = gremlingo.Traversal_().WithRemote(remote).V().Count().Next()
		remote.Close()
	}
	// This driver keeps only the lower byte of the status code, 401.
	expect(fmt.Sprintf("wrong password: %v", err), err != nil && strings.Contains(err.Error(), "incorrect"), true)

	_, err = connect(password, &tls.Config{RootCAs: x509.NewCertPool()})
	expect(fmt.Sprintf("unknown authority: %v", err), err != nil && strings.Contains(err.Error(), "certificate"), true)
}
