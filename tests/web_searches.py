"""Blocks of an answer in which Claude has searched the web, in the form of the SDK's types."""

from tests.claude_server import Block


def searched(*queries: str, found: str = "A page") -> list[Block]:
    """Web searches that the model made within its answer, each with its result."""
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
    """A piece of an answer that cites a page."""
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
