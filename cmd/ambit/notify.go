package main

func notifyCommands() []command { return nil }
