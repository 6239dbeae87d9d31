import asyncio

from agents.mcp import MCPServerStreamableHttp
from steps import HEADERS, URL, ask_and_wait


async def main() -> None:
    async with MCPServerStreamableHttp(params={"url": URL, "headers": HEADERS}) as server:

        async def call(name, args):
            result = await server.call_tool(name, args)
            found = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
            assert found, result
            return found

        await ask_and_wait([tool.name for tool in await server.list_tools()], call)


asyncio.run(main())
