"""Receipts of approved actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import _request as api
from ..._responses import read_model
from ...models import RedeemedReceipt
from ..resource import AsyncResource


class AsyncReceipts(AsyncResource):
    """`client.receipts`. Scope: `tasks:create`."""

    async def redeem(
        self, receipt: str, args: Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> RedeemedReceipt:
        """Redeems the receipt of an approved task. Run the action only after this method returns.

        Args:
            receipt: `task.receipt` of the approved task.
            args: the arguments that are about to run. They must equal those of the task's action.
            idempotency_key: a second request with the same key (within a day) gets the response of
                the first one. Default: a new key, which retries of this request share.

        Raises:
            ConflictError: 409 RECEIPT_REDEEMED: somebody has redeemed the receipt before.
            UnprocessableError: 422 ACTION_CHANGED, INVALID_RECEIPT or RECEIPT_EXPIRED.
        """
        body = api.body(receipt=receipt, args=args)
        request = api.create("/api/mcp/receipts/redeem", body, idempotency_key=idempotency_key)
        return read_model(RedeemedReceipt, await self._transport.send(request))
