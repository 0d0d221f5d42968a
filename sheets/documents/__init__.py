"""Parsing and validation of JSON documents from outside."""
