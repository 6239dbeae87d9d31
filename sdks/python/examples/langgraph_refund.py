"""A LangGraph agent whose refunds a person approves. The checkpointer stores where it waits."""

import os
import sqlite3
from pathlib import Path

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from scripted_models import langchain_model

from svcforms import SvcForms
from svcforms.langgraph import Approvals


def refund(order: str, amount: float) -> str:
    """Refunds an order."""
    with Path("refunds.log").open("a") as log:
        log.write(f"{order} {amount}\n")
    return f"refunded {amount} for {order}"


def model(state: MessagesState) -> MessagesState:
    return {"messages": [langchain_model(state["messages"])]}


approvals = Approvals(SvcForms(), os.environ["FORM_ID"], title=lambda tool, args: f"Run {tool} of {args['amount']}?")
builder = StateGraph(MessagesState)
builder.add_node("model", model)
builder.add_node("tools", ToolNode([refund], wrap_tool_call=approvals.wrap_tool_call))
builder.add_edge(START, "model")
builder.add_conditional_edges("model", tools_condition)
builder.add_edge("tools", "model")
connection = sqlite3.connect("agent.db", check_same_thread=False)
graph = builder.compile(checkpointer=SqliteSaver(connection))

config: RunnableConfig = {"configurable": {"thread_id": os.environ.get("THREAD_ID", "refund-A-17")}}
print("started", flush=True)
state = approvals.invoke(graph, {"messages": [("user", "Refund order A-17")]}, config)
print(state["messages"][-1].content, flush=True)
connection.close()
