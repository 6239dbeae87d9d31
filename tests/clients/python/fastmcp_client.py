import asyncio

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from steps import HEADERS, URL, ask_and_wait


async def main() -> None:
    async with Client(StreamableHttpTransport(URL, headers=HEADERS)) as client:

        async def call(name, args):
            return (await client.call_tool(name, args)).structured_content

        await ask_and_wait([tool.name for tool in await client.list_tools()], call)


asyncio.run(main())
