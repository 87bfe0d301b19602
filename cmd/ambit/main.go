// Ambit answers by hand what the packages of this module answer in a program; "ambit --help" lists the commands.
package main

func main() { exit() }
