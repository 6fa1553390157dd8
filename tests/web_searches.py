"""What an answer of Claude's holds when it has searched the web, as the SDK's types have it."""

from tests.claude_server import Block


def searched(*queries: str, found: str = "A page") -> list[Block]:
    """Searches of the web that the model has made within its answer, each with what it found."""
    return [
        block
        for number, query in enumerate(queries, 1)
        for block in (
            {"type": "server_tool_use", "id": f"srvtoolu_{number:04}", "name": "web_search", "input": {"query": query}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": f"srvtoolu_{number:04}",
                "content": [
                    {
                        "type": "web_search_result",
                        "title": found,
                        "url": "https://example.org/page",
                        "encrypted_content": "EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5",
                        "page_age": "2 days ago",
                    }
                ],
            },
        )
    ]


def cited(words: str) -> Block:
    """A piece of an answer that rests on a page."""
    return {
        "type": "text",
        "text": words,
        "citations": [
            {
                "type": "web_search_result_location",
                "cited_text": words,
                "encrypted_index": "Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm",
                "title": "A page",
                "url": "https://example.org/page",
            }
        ],
    }
