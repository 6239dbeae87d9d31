import asyncio

from pydantic_ai.mcp import MCPToolset
from steps import HEADERS, URL, ask_and_wait


async def main() -> None:
    async with MCPToolset(URL, headers=HEADERS) as server:
        await ask_and_wait([tool.name for tool in await server.list_tools()], server.direct_call_tool)


asyncio.run(main())
