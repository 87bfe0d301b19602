package main

func campaignCommands() []command { return nil }
