"""The pages that belong to no slice: start page, sheets, rules, printing, opening files."""
