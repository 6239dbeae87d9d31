import asyncio
import json

from langchain_mcp_adapters.client import MultiServerMCPClient
from steps import HEADERS, URL, ask_and_wait


async def main() -> None:
    client = MultiServerMCPClient({"svcforms": {"transport": "streamable_http", "url": URL, "headers": HEADERS}})
    tools = {tool.name: tool for tool in await client.get_tools()}

    async def call(name, args):
        result = await tools[name].ainvoke(args)
        return json.loads(result if isinstance(result, str) else result[0]["text"])

    await ask_and_wait(list(tools), call)


asyncio.run(main())
