"""A refund that a person approves, without an agent framework."""

import os
from pathlib import Path

from svcforms import ApprovalError, SvcForms, require_approval

client = SvcForms()


@require_approval(client, os.environ["FORM_ID"], title=lambda order, amount: f"Refund {amount} for {order}?", once=True)
def refund(order: str, amount: float) -> str:
    with Path("refunds.log").open("a") as log:
        log.write(f"{order} {amount}\n")
    return f"refunded {amount} for {order}"


print("started", flush=True)
try:
    print(refund("A-17", 120), flush=True)
except ApprovalError as error:
    print(error, flush=True)
