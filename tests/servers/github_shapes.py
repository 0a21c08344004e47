"""Answers in the shapes that GitHub's REST API gives."""

import json
from collections.abc import Mapping

from servers.scripted import Reply

JSON = {
    "Content-Type": "application/json; charset=utf-8", "Server": "GitHub.com",
    "X-GitHub-Media-Type": "github.v3; format=json",
    "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "57", "X-RateLimit-Reset": "1893456000", "ETag": 'W/"2877"',
}  # fmt: skip
NOT_FOUND = {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"}
RATE_LIMIT = {
    "message": "API rate limit exceeded for 127.0.0.1. (Authenticated requests get a higher limit.)",
    "documentation_url": "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting",
}


def answer(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(status, json.dumps(body).encode(), JSON | dict(headers or {}))


def repository(
    full_name: str, *, licence: str | None = "MIT", api: str = "https://api.github.com"
) -> dict[str, object]:
    owner, _, name = full_name.partition("/")
    return {
        "id": 1296269, "node_id": "MDEwOlJlcG9zaXRvcnkxMjk2MjY5", "name": name, "full_name": full_name,
        "private": False,
        "owner": {"login": owner, "id": 1, "type": "User", "url": f"https://api.github.com/users/{owner}"},
        "html_url": f"https://github.com/{full_name}", "description": None, "fork": False,
        "url": f"{api}/repos/{full_name}", "clone_url": f"https://github.com/{full_name}.git",
        "size": 120, "default_branch": "main", "archived": False, "disabled": False, "visibility": "public",
        "license": licence and {
            "key": licence.lower(), "name": f"{licence} License", "spdx_id": licence,
            "url": f"https://api.github.com/licenses/{licence.lower()}", "node_id": "MDc6TGljZW5zZTEz",
        },
        "stargazers_count": 3, "created_at": "2020-01-01T00:00:00Z", "pushed_at": "2021-01-01T00:00:00Z",
    }  # fmt: skip


def rate_limited(reset: int) -> Reply:
    return answer(RATE_LIMIT, 403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)})
