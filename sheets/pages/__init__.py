"""General pages: start page, levels, rules, printing, opening files, offline use."""
