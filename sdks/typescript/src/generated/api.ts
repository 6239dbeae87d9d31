// Generated from docs/openapi.json by scripts/generate-types.mjs.

export interface paths {
    "/api/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Who changed what, newest first. Rows never change; they are deleted after `SVC_AUDIT_RETENTION_DAYS`. Requires the scope `audit:read`.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase the data of a person by a field value
         * @description Also needs `tasks:manage`. Once this call responds, the API returns no data of the person. Copies in the event log, in emails stored as files and in the embedded database file are erased within a minute. The report is not stored. You can repeat the call, such as after a failure: it erases and reports what is left. Requires the scope `submissions:write`.
         */
        post: operations["createErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types
         * @description Every event with an example, the JSON Schema and the version of its payload. Requires an API key or a session.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List forms
         * @description Requires the scope `forms:read`.
         */
        get: operations["listForms"];
        put?: never;
        /**
         * Create a form
         * @description Publishes it as version 1. With `?draft=true`, nobody sees it before it is published; `forms:draft` is enough for that. Requires the scope `forms:write` or `forms:draft`.
         */
        post: operations["createForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a form from a template
         * @description Publishes it as version 1. With `?draft=true`, nobody sees it before it is published; `forms:draft` is enough for that. Requires the scope `forms:write` or `forms:draft`.
         */
        post: operations["importForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a form
         * @description The published form. With `?draft=true`, its draft, or the published form if there is none; `forms:draft` is enough for that. Requires the scope `forms:read` or `forms:draft`.
         */
        get: operations["getForm"];
        /**
         * Replace a form
         * @description Publishes a new version. With `?draft=true`, saves the draft and changes nothing live; `forms:draft` is enough for that. Trigger parameters that the body omits keep their saved value; `null` removes one. Everything else is replaced. Requires the scope `forms:write` or `forms:draft`.
         */
        put: operations["replaceForm"];
        post?: never;
        /**
         * Delete a form
         * @description Also deletes its webhooks, inbound endpoints and submissions, and stops their deliveries. Requires the scope `forms:write`.
         */
        delete: operations["deleteForm"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Discard the draft of a form
         * @description Requires the scope `forms:write` or `forms:draft`.
         */
        delete: operations["discardDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a form
         * @description Publishes it as version 1. With `?draft=true`, nobody sees it before it is published; `forms:draft` is enough for that. Requires the scope `forms:write` or `forms:draft`.
         */
        post: operations["duplicateForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a form as a template
         * @description Requires the scope `forms:read`.
         */
        get: operations["exportForm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/inbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the inbound endpoint
         * @description Requires the scope `forms:inbound:manage`.
         */
        get: operations["getInboundEndpoint"];
        put?: never;
        /**
         * Create the inbound endpoint
         * @description Requires the scope `forms:inbound:manage`.
         */
        post: operations["createInboundEndpoint"];
        /**
         * Delete the inbound endpoint
         * @description Requires the scope `forms:inbound:manage`.
         */
        delete: operations["deleteInboundEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update the inbound endpoint
         * @description Setting or removing the secret needs a login from the last 10 minutes. Requires the scope `forms:inbound:manage`.
         */
        patch: operations["changeInboundEndpoint"];
        trace?: never;
    };
    "/api/forms/{formId}/inbound/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the inbound endpoints of a form
         * @description Requires the scope `forms:inbound:manage`.
         */
        get: operations["listInboundEndpoints"];
        put?: never;
        /**
         * Add an inbound endpoint to a form
         * @description A form can have 20. Calls under `/inbound` without an id apply to the oldest. Requires the scope `forms:inbound:manage`.
         */
        post: operations["addInboundEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/inbound/endpoints/{inboundId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an inbound endpoint by id
         * @description Requires the scope `forms:inbound:manage`.
         */
        get: operations["getInboundEndpointById"];
        put?: never;
        post?: never;
        /**
         * Delete an inbound endpoint by id
         * @description Requires the scope `forms:inbound:manage`.
         */
        delete: operations["deleteInboundEndpointById"];
        options?: never;
        head?: never;
        /**
         * Update an inbound endpoint by id
         * @description Setting or removing the secret needs a login from the last 10 minutes. Requires the scope `forms:inbound:manage`.
         */
        patch: operations["changeInboundEndpointById"];
        trace?: never;
    };
    "/api/forms/{formId}/inbound/endpoints/{inboundId}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last 50 requests to an inbound endpoint by id
         * @description Requires the scope `forms:inbound:manage`.
         */
        get: operations["listInboundRequestsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/inbound/endpoints/{inboundId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the token of an inbound endpoint by id
         * @description Requires the scope `forms:inbound:manage`.
         */
        post: operations["rotateInboundTokenById"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/inbound/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last 50 requests to the inbound endpoint
         * @description Requires the scope `forms:inbound:manage`.
         */
        get: operations["listInboundRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/inbound/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the token of the inbound endpoint
         * @description Requires the scope `forms:inbound:manage`.
         */
        post: operations["rotateInboundToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the draft of a form
         * @description Visitors see the draft from then on, as the next version. Requires the scope `forms:write`.
         */
        post: operations["publishForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get popup counters and submissions by day
         * @description Requires the scope `forms:read`.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/submission-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a token for a submission
         * @description Requires no credentials.
         */
        get: operations["getSubmissionToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the submissions of a form
         * @description Requires the scope `submissions:read`.
         */
        get: operations["listSubmissions"];
        put?: never;
        /**
         * Submit a form
         * @description Requires no credentials.
         */
        post: operations["submitForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/submissions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the submissions of a form
         * @description Requires the scope `submissions:read`.
         */
        get: operations["exportSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summarize the submissions of a form by question
         * @description Requires the scope `submissions:read`.
         */
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the published versions of a form
         * @description Newest first: the current version, and the last 100 that it replaced. Requires the scope `forms:read`.
         */
        get: operations["listFormVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a published version of a form
         * @description Requires the scope `forms:read`.
         */
        get: operations["getFormVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a published version the draft
         * @description Replaces the draft, except for `closing`, `retentionDays` and `reviewers` in `settings`, which stay as published. Changes nothing live; publish the draft to go back to that version. Requires the scope `forms:write` or `forms:draft`.
         */
        post: operations["restoreFormVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of a form
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery of any webhook of the form
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["getDeliveryOfForm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery of any webhook of the form
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["redeliverDeliveryOfForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/filter/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a filter
         * @description Says which recent events of the form a filter lets pass. Also needs `submissions:read`, and `tasks:read` for the events of tasks. Requires the scope `forms:webhooks:manage`.
         */
        post: operations["previewWebhookFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/payload/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the payload of a webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["previewPayload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and its deliveries
         * @description Requires the scope `forms:webhooks:manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["redeliverDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/{webhookId}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of a webhook
         * @description Attempts, success rate and latency by hour, written by the dispatcher about once a second. Requires the scope `forms:webhooks:manage`.
         */
        get: operations["getWebhookHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/{webhookId}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover failed and held deliveries
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["recoverDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of a webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{formId}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description Requires the scope `users:manage`.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group
         * @description Requires the scope `users:manage`.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{groupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a group
         * @description Requires the scope `users:manage`.
         */
        get: operations["getGroup"];
        put?: never;
        post?: never;
        /**
         * Delete a group
         * @description Refused while the settings of a form or its draft use the group. Pending tasks lose its members as reviewers. Requires the scope `users:manage`.
         */
        delete: operations["deleteGroup"];
        options?: never;
        head?: never;
        /**
         * Update a group
         * @description Requires the scope `users:manage`.
         */
        patch: operations["changeGroup"];
        trace?: never;
    };
    "/api/inbound/{formId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a submission from another system
         * @description Values by field name, or by key of the `fieldMapping` of the endpoint that the token belongs to. Keys without a field keep their names; so does `token`, unless it is the credential. Requires the token of an inbound endpoint.
         */
        post: operations["sendInbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Requires the scope `keys:manage`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Requires the scope `keys:manage`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Requires the scope `keys:manage`.
         */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/events/{eventType}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events
         * @description Server-sent events of the account. `eventType` is one event type or a comma-separated list; `hitl.task.*` selects all task events, `form.*` all that begin with `form.`, `*` all events. Requires the scope `events:read`.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/receipts/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem the receipt of an approved action
         * @description Run the action only after a 200. Each receipt is redeemed once. Requires the scope `tasks:create`.
         */
        post: operations["redeemReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description Requires the scope `tasks:read`.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Create a task
         * @description Requires the scope `tasks:create`.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task, or wait until it is resolved
         * @description Requires the scope `tasks:read`.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        /**
         * Delete a task and its submission
         * @description Requires the scope `tasks:manage`.
         */
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks/{taskId}/callback/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the callback again
         * @description Callers with the scope `tasks:create` may do this with tasks that they created. Requires the scope `tasks:manage` or `tasks:create`.
         */
        post: operations["redeliverCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks/{taskId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task
         * @description Callers with the scope `tasks:create` may do this with tasks that they created. Requires the scope `tasks:manage` or `tasks:create`.
         */
        post: operations["cancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks/{taskId}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a task for 15 minutes
         * @description Requires the scope `tasks:decide`.
         */
        post: operations["claimTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks/{taskId}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a task
         * @description On a task with a policy, this is a vote. If more approvals are needed, the task stays `awaiting`. Requires the scope `tasks:decide`.
         */
        post: operations["decideTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks/{taskId}/delegate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delegate your vote on a task
         * @description Requires the scope `tasks:decide`.
         */
        post: operations["delegateTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks/{taskId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the activity of a task
         * @description Requires the scope `tasks:read`.
         */
        get: operations["getTaskHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/tasks/{taskId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a claimed task
         * @description Requires the scope `tasks:decide`.
         */
        post: operations["releaseTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notification-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification addresses
         * @description Requires the scope `forms:read`.
         */
        get: operations["listNotificationAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notification-addresses/{addressId}/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send another verification email
         * @description Limits for an address: 1 per hour, 3 per day, 6 in 30 days. An account can send 50 per day. Requires the scope `forms:write`.
         */
        post: operations["verifyNotificationAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get popup counters and submissions of several forms
         * @description Omits forms that do not exist or belong to another account. Requires the scope `forms:read`.
         */
        get: operations["getStatsOfForms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/submissions/{submissionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a submission
         * @description Requires the scope `submissions:read`.
         */
        get: operations["getSubmission"];
        put?: never;
        post?: never;
        /**
         * Delete a submission
         * @description Requires the scope `submissions:write`.
         */
        delete: operations["deleteSubmission"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/submissions/{submissionId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a submission
         * @description Its deliveries to the webhooks of the form and of the account, newest first, on one page. If a task created it, those of the decision, too. Requires the scope `forms:webhooks:manage`.
         */
        get: operations["listDeliveriesOfSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/submissions/{submissionId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a submission from quarantine
         * @description Requires the scope `submissions:write`.
         */
        post: operations["releaseSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the built-in templates
         * @description Requires the scope `forms:read`.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of the account
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["listAccountWebhooks"];
        put?: never;
        /**
         * Create an account webhook
         * @description Receives the events of all forms of the account, or of those in `forms`. Requires the scope `forms:webhooks:manage`.
         */
        post: operations["createAccountWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/filter/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a filter of an account webhook
         * @description Says which recent events of the account a filter lets pass. Also needs `submissions:read`, and `tasks:read` for the events of tasks. Requires the scope `forms:webhooks:manage`.
         */
        post: operations["previewAccountWebhookFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/payload/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the payload of an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["previewAccountPayload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["getAccountWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete an account webhook and its deliveries
         * @description Requires the scope `forms:webhooks:manage`.
         */
        delete: operations["deleteAccountWebhook"];
        options?: never;
        head?: never;
        /**
         * Update an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        patch: operations["changeAccountWebhook"];
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["listAccountDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery of an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        get: operations["getAccountDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery of an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["redeliverAccountDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of an account webhook
         * @description Attempts, success rate and latency by hour, written by the dispatcher about once a second. Requires the scope `forms:webhooks:manage`.
         */
        get: operations["getAccountWebhookHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover failed and held deliveries of an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["recoverAccountDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["rotateAccountWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to an account webhook
         * @description Requires the scope `forms:webhooks:manage`.
         */
        post: operations["testAccountWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A filter to try on recent events of the account. */
        AccountFilterPreviewIn: {
            filter?: components["schemas"]["WebhookFilterInput"];
            /** @description Webhook whose saved values stand for those that are absent here. */
            webhookId?: string;
            /** @description Event types to try. Default: those of the webhook, or form.submission.new. */
            events?: ("hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /**
             * @description Most events to return, newest first. One more follows of each type that they lack.
             * @default 20
             */
            limit?: number;
            /** @description Ids of the forms whose events to try. null: all forms of the account. Default: the forms of the webhook, or all. */
            forms?: string[] | null;
        };
        /** @description A payload setting of an account webhook to try, saved or not, and an event. */
        AccountPayloadPreviewIn: {
            payload: components["schemas"]["WebhookPayloadIn"];
            /** @description Id of a delivery whose event is rendered. Default: a sample event. */
            deliveryId?: string;
            /**
             * @description Type of the sample event. Default: `form.submission.new`. Ignored with `deliveryId`.
             * @enum {string}
             */
            eventType?: "hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
        };
        /** @description A webhook of the account. */
        AccountWebhook: {
            /** @description Id of the webhook. */
            id: string;
            /** @description Public HTTPS URL of the webhook endpoint. */
            url: string;
            /** @description Whether the webhook is enabled. */
            isEnabled: boolean;
            /** @description Note for the team. */
            description?: string;
            /** @description Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit. */
            rateLimitPerSecond: number | null;
            filter?: components["schemas"]["WebhookFilter"];
            /** @description Events that the filter excluded since it was last changed. Absent without a filter. */
            filteredCount?: number;
            /** @description When the filter last excluded an event; null if it never did. Absent without a filter. */
            lastFilteredAt?: string | null;
            payload?: components["schemas"]["WebhookPayload"];
            /** @description Last four characters of the secret, to tell secrets apart. */
            secretLast4: string;
            /** @description Custom headers. Only requests to the endpoint contain their values. */
            headers: components["schemas"]["WebhookHeader"][];
            /** @description Whether each request also has a signature (`v1a`, Ed25519) that everybody can verify with the public key. */
            isPublicKeySigned: boolean;
            /** @description Id of the public key in `/.well-known/webhooks-keys.json`. Absent without a key pair. */
            publicKeyId?: string;
            /** @description Public key: `whpk_` and its 32 bytes in base64. Absent without a key pair. */
            publicKey?: string;
            /** @description Why the webhook is disabled: by a user (`manual`), after too many failures (`failures`), or because the endpoint returned 410 Gone (`gone`). null if it is enabled. */
            disabledReason: ("manual" | "failures" | "gone") | null;
            /** @description When the webhook was disabled. */
            disabledAt: string | null;
            /** @description Time of the first failure since the last success. */
            failingSince: string | null;
            /** @description Failed attempts since the last success. */
            consecutiveFailures: number;
            /** @description When the last attempt was made. */
            lastAttemptAt: string | null;
            /** @description Status code of the last response; null without a response. */
            lastStatus: number | null;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updatedAt: string;
            /** @description Event types to send. */
            events: ("hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /** @description Ids of the forms whose events are sent. Absent: all forms of the account, also later ones. An empty list matches no form. */
            forms?: string[];
        };
        /** @description A new account webhook. */
        AccountWebhookCreated: {
            /** @description Id of the webhook. */
            id: string;
            /** @description Public HTTPS URL of the webhook endpoint. */
            url: string;
            /** @description Whether the webhook is enabled. */
            isEnabled: boolean;
            /** @description Note for the team. */
            description?: string;
            /** @description Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit. */
            rateLimitPerSecond: number | null;
            filter?: components["schemas"]["WebhookFilter"];
            /** @description Events that the filter excluded since it was last changed. Absent without a filter. */
            filteredCount?: number;
            /** @description When the filter last excluded an event; null if it never did. Absent without a filter. */
            lastFilteredAt?: string | null;
            payload?: components["schemas"]["WebhookPayload"];
            /** @description Last four characters of the secret, to tell secrets apart. */
            secretLast4: string;
            /** @description Custom headers. Only requests to the endpoint contain their values. */
            headers: components["schemas"]["WebhookHeader"][];
            /** @description Whether each request also has a signature (`v1a`, Ed25519) that everybody can verify with the public key. */
            isPublicKeySigned: boolean;
            /** @description Id of the public key in `/.well-known/webhooks-keys.json`. Absent without a key pair. */
            publicKeyId?: string;
            /** @description Public key: `whpk_` and its 32 bytes in base64. Absent without a key pair. */
            publicKey?: string;
            /** @description Why the webhook is disabled: by a user (`manual`), after too many failures (`failures`), or because the endpoint returned 410 Gone (`gone`). null if it is enabled. */
            disabledReason: ("manual" | "failures" | "gone") | null;
            /** @description When the webhook was disabled. */
            disabledAt: string | null;
            /** @description Time of the first failure since the last success. */
            failingSince: string | null;
            /** @description Failed attempts since the last success. */
            consecutiveFailures: number;
            /** @description When the last attempt was made. */
            lastAttemptAt: string | null;
            /** @description Status code of the last response; null without a response. */
            lastStatus: number | null;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updatedAt: string;
            /** @description Event types to send. */
            events: ("hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /** @description Ids of the forms whose events are sent. Absent: all forms of the account, also later ones. An empty list matches no form. */
            forms?: string[];
            /** @description Signing secret, shown only once; null in a replayed idempotent response. */
            secret: string | null;
        };
        /** @description An account webhook to create. */
        AccountWebhookIn: {
            /** @description Public HTTPS URL of the webhook endpoint. */
            url: string;
            /** @description Event types to send. */
            events: ("hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /** @description Signing secret, at least 16 characters. Absent, null or empty: one is generated. */
            secret?: "" | string | null;
            /**
             * @description Whether the webhook is enabled.
             * @default true
             */
            isEnabled?: boolean;
            /** @description Note for the team. */
            description?: string;
            /** @description Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit. */
            rateLimitPerSecond?: number | null;
            /** @description Headers to send with each request besides those of SvcForms, at most 20. No response contains the values. */
            headers?: {
                [key: string]: string;
            };
            /** @description Whether each request also has a signature (`v1a`, Ed25519) that everybody can verify with the public key. */
            isPublicKeySigned?: boolean;
            filter?: components["schemas"]["WebhookFilterInput"] | null;
            /** @description What the webhook sends as body. null or the format `envelope`: the default body. */
            payload?: components["schemas"]["WebhookPayloadIn"] | null;
            forms?: string[] | null;
        };
        /** @description Changes to an account webhook. */
        AccountWebhookPatch: {
            /** @description Public HTTPS URL of the webhook endpoint. */
            url?: string;
            /** @description Event types to send. */
            events?: ("hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /** @description `false` disables the webhook; `true` enables it and resets its failures. */
            isEnabled?: boolean;
            /** @description Note for the team; null removes it. */
            description?: string | null;
            /** @description Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit. */
            rateLimitPerSecond?: number | null;
            /** @description Headers to set; null as a value removes a header, and others stay. null for the whole property removes all. */
            headers?: {
                [key: string]: string | null;
            } | null;
            /** @description Whether each request also has a signature (`v1a`, Ed25519). `true` creates a key pair if there is none; `false` deletes it. */
            isPublicKeySigned?: boolean;
            /** @description Which of the events are sent; replaces the filter and its count. null removes it. */
            filter?: components["schemas"]["WebhookFilterInput"] | null;
            /** @description What the webhook sends as body. null or the format `envelope`: the default body. */
            payload?: components["schemas"]["WebhookPayloadIn"] | null;
            /** @description Ids of the forms whose events are sent; replaces the list. null: all forms of the account, also later ones. */
            forms?: string[] | null;
        };
        /** @description A test event to send to an account webhook. */
        AccountWebhookTestIn: {
            /**
             * @description Type of the test event. Default: the first type that the webhook subscribes to.
             * @enum {string}
             */
            eventType?: "hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
        };
        /** @description An API key. */
        ApiKey: {
            /** @description Id of the key. */
            id: string;
            /** @description Name of the key, such as the program that uses it. */
            name: string;
            /** @description Last four characters of the key, to tell keys apart. */
            last4: string;
            /** @description Scopes of the key; `*` grants all. */
            scopes: ("forms:read" | "forms:write" | "forms:draft" | "forms:webhooks:manage" | "forms:inbound:manage" | "submissions:read" | "submissions:write" | "tasks:create" | "tasks:read" | "tasks:manage" | "tasks:decide" | "events:read" | "keys:manage" | "audit:read" | "users:manage" | "*")[];
            /** @description When the key expires; null means never. */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was created.
             */
            createdAt: string;
            /** @description Id of the user or key that created it; null if unknown. */
            createdBy: string | null;
            /** @description When the key was last used, accurate to the minute; null if unknown. */
            lastUsedAt: string | null;
        };
        /** @description A new API key. */
        ApiKeyCreated: {
            /** @description Id of the key. */
            id: string;
            /** @description Name of the key, such as the program that uses it. */
            name: string;
            /** @description Last four characters of the key, to tell keys apart. */
            last4: string;
            /** @description Scopes of the key; `*` grants all. */
            scopes: ("forms:read" | "forms:write" | "forms:draft" | "forms:webhooks:manage" | "forms:inbound:manage" | "submissions:read" | "submissions:write" | "tasks:create" | "tasks:read" | "tasks:manage" | "tasks:decide" | "events:read" | "keys:manage" | "audit:read" | "users:manage" | "*")[];
            /** @description When the key expires; null means never. */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was created.
             */
            createdAt: string;
            /** @description Id of the user or key that created it; null if unknown. */
            createdBy: string | null;
            /** @description When the key was last used, accurate to the minute; null if unknown. */
            lastUsedAt: string | null;
            /** @description The key, shown only once; null in a replayed idempotent response. */
            key: string | null;
        };
        /** @description An API key to create. */
        ApiKeyIn: {
            /** @description Name of the key, such as the program that uses it. */
            name: string;
            /** @description Scopes of the key; `*` grants all. The caller must have each of them. */
            scopes: ("forms:read" | "forms:write" | "forms:draft" | "forms:webhooks:manage" | "forms:inbound:manage" | "submissions:read" | "submissions:write" | "tasks:create" | "tasks:read" | "tasks:manage" | "tasks:decide" | "events:read" | "keys:manage" | "audit:read" | "users:manage" | "*")[];
            expiresAt?: string | null;
        };
        /** @description Who made the change. */
        AuditActor: {
            /**
             * @description A user, an API key, a connected agent, a failed login (`anonymous`), or an admin command (`system`).
             * @enum {string}
             */
            type: "user" | "key" | "agent" | "anonymous" | "system";
            /** @description Id of the user, key or agent. */
            id: string | null;
            /** @description Name of the user, key or agent at that time. */
            name: string | null;
        };
        /** @description A change to the account. */
        AuditEntry: {
            /** @description Id of the row. */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made.
             */
            createdAt: string;
            actor: components["schemas"]["AuditActor"];
            /** @description IP address of the client; null for admin commands. */
            ip: string | null;
            /**
             * @description Action.
             * @enum {string}
             */
            action: "account.created" | "account.updated" | "account.slack_tested" | "account.plan_changed" | "account.exported" | "account.imported" | "login.succeeded" | "login.failed" | "session.ended" | "session.reauthenticated" | "key.created" | "key.deleted" | "agent.connected" | "agent.disconnected" | "user.created" | "user.updated" | "user.role_changed" | "user.deleted" | "user.password_reset_requested" | "user.password_reset" | "user.slack_connected" | "user.slack_disconnected" | "totp.enabled" | "totp.disabled" | "totp.recovery_codes_replaced" | "account.login_policy_changed" | "invitation.created" | "invitation.resent" | "invitation.revoked" | "invitation.accepted" | "group.created" | "group.updated" | "group.deleted" | "form.created" | "form.updated" | "form.draft_saved" | "form.draft_discarded" | "form.published" | "form.version_restored" | "form.deleted" | "submission.released" | "submission.deleted" | "inbound.created" | "inbound.updated" | "inbound.deleted" | "inbound.token_rotated" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.tested" | "webhook.recovered" | "delivery.retried" | "notification_address.verification_sent" | "erasure.created" | "task.created" | "task.claimed" | "task.released" | "task.voted" | "task.delegated" | "task.decided" | "task.cancelled" | "task.deleted" | "task.callback_redelivered" | "receipt.redeemed";
            target: components["schemas"]["AuditTarget"];
            /** @description With `include=resource`: the target as it is now. Null if it was deleted, if its kind has no current state, or if the scopes of the caller don’t cover it. */
            resource?: components["schemas"]["AuditResource"] | null;
            /** @description Changed properties. `from` and `to` are omitted if the values are secret or large; URLs are reduced to their host. */
            changes: {
                [key: string]: {
                    /** @description Value before. */
                    from?: unknown;
                    /** @description Value after. */
                    to?: unknown;
                };
            };
        };
        /** @description The resource as it is now. */
        AuditResource: {
            /** @description Its current name; of a task the title, of a webhook or delivery the host. Null if it has none. */
            name: string | null;
            /** @description Id of the form that it belongs to; null if it belongs to the account. */
            formId: string | null;
            /** @description Current name of that form. */
            formName: string | null;
            /** @description Id of the webhook; null if it is neither a webhook nor a delivery. */
            webhookId: string | null;
        };
        /** @description The changed resource. */
        AuditTarget: {
            /** @description Kind of resource. */
            type: string;
            /** @description Id of the resource. */
            id: string | null;
            /** @description Name of the resource at that time; null if it has none. */
            name: string | null;
        };
        /** @description One attempt to send the callback. */
        CallbackAttempt: {
            /**
             * Format: date-time
             * @description When the callback was sent.
             */
            at: string;
            /** @description Status code of the response. Absent without a response. */
            status?: number;
            /** @description Reason of the failure. */
            error?: string;
            /** @description Duration in milliseconds. */
            durationMs: number;
            /** @description First 4 KiB of the response body; empty without a response. */
            responseBody: string;
        };
        /** @description Cancellation of a task. */
        CancelIn: {
            /** @description Reason of the cancellation. */
            reason?: string;
        };
        /** @description Metadata to store with a submission. */
        CapturedMetadata: {
            /** @description Store the visitor's IP address. Default: false. */
            includeIp?: boolean;
            /** @description Store the visitor's user agent. Default: false. */
            includeUserAgent?: boolean;
        };
        /** @description How often a value was chosen. */
        ChoiceCount: {
            /** @description The value; `true` or `false` for checkboxes and consents. */
            value: string;
            /** @description Submissions with this value. */
            count: number;
        };
        /** @description When the form stops accepting submissions. */
        Closing: {
            /** @description Whether the form is closed now. Default: false. */
            isClosed?: boolean;
            /**
             * Format: date-time
             * @description When the form closes. Default: never.
             */
            closesAt?: string;
            /** @description How many submissions the form accepts from visitors and other systems. Those of tasks, and quarantined ones, don’t count. Default: any number. */
            maxSubmissions?: number;
            /** @description What visitors see instead of the closed form. Default: a sentence in their language. */
            message?: string;
        };
        /** @description A decision about a task. */
        DecisionIn: {
            /**
             * @description `submitted` in form mode; `approved` or `rejected` in approval mode.
             * @enum {string}
             */
            outcome: "approved" | "rejected" | "submitted";
            /**
             * @description Changed values by field name.
             * @default {}
             */
            fields?: {
                [key: string]: unknown;
            };
            /** @description `valuesDigest` of the task as the reviewer saw it. If the values were changed since, the decision is refused with 409. */
            valuesDigest?: string;
            /** @description Comment of the reviewer. */
            comment?: string;
            /** @description One of the task's reject options. */
            rejectOption?: string;
            /** @description Token of the link in an email about the task: works once, and only for the user whom the email was sent to. The history then names the email. */
            mailLink?: string;
        };
        /** @description The person who votes instead of the caller. */
        DelegateIn: {
            /** @description Id or email of the user who votes instead. */
            to: string;
            /** @description Shown in the activity of the task. */
            comment?: string;
        };
        /** @description The delivery of an event to a webhook. */
        Delivery: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Webhook that receives the event. */
            webhookId: string;
            /** @description Id of the event, sent as `Svc-Event-Id` with every attempt. */
            eventId: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            eventType: "hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
            /** @description Form of the event. */
            formId: string;
            /** @description Submission of the event. Absent if it has none. */
            submissionId?: string;
            /** @description Task of the event. Absent if it has none. */
            taskId?: string;
            /**
             * @description The delivery is a test event. Absent in others.
             * @constant
             */
            isTest?: true;
            /**
             * @description `pending`: the next attempt is scheduled. `delivering`: an attempt is being made. `delivered`: the endpoint responded with 2xx. `failed`: all attempts failed. `held`: the webhook was disabled because of failures.
             * @enum {string}
             */
            status: "pending" | "delivering" | "delivered" | "failed" | "held";
            /** @description All attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description When the next attempt is due; null if the delivery is finished or held. */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its body was erased; it is not sent anymore. Absent if it was not erased.
             */
            erasedAt?: string;
        };
        /** @description One attempt to send an event to a webhook endpoint. */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When the attempt started.
             */
            at: string;
            /** @description Status code of the response. Absent without a response. */
            status?: number;
            /** @description Reason of the failure: `dns`, `connect`, `tls`, `timeout`, `reset` or `protocol` (no response), `blocked_target`, `not_sent` or `template` (nothing was sent), `status` (the response was not 2xx). */
            error?: string;
            /** @description With the error `template`: what is wrong with the payload, and where. */
            message?: string;
            /** @description Duration in milliseconds. */
            durationMs: number;
            /** @description First 4 KiB of the response body; empty without a response. */
            responseBody: string;
        };
        /** @description The delivery of an event to a webhook. */
        DeliveryDetail: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Webhook that receives the event. */
            webhookId: string;
            /** @description Id of the event, sent as `Svc-Event-Id` with every attempt. */
            eventId: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            eventType: "hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
            /** @description Form of the event. */
            formId: string;
            /** @description Submission of the event. Absent if it has none. */
            submissionId?: string;
            /** @description Task of the event. Absent if it has none. */
            taskId?: string;
            /**
             * @description The delivery is a test event. Absent in others.
             * @constant
             */
            isTest?: true;
            /**
             * @description `pending`: the next attempt is scheduled. `delivering`: an attempt is being made. `delivered`: the endpoint responded with 2xx. `failed`: all attempts failed. `held`: the webhook was disabled because of failures.
             * @enum {string}
             */
            status: "pending" | "delivering" | "delivered" | "failed" | "held";
            /** @description All attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description When the next attempt is due; null if the delivery is finished or held. */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its body was erased; it is not sent anymore. Absent if it was not erased.
             */
            erasedAt?: string;
            /** @description With `include=request`: the request that an attempt would send now, with the current URL, headers and payload of the webhook. */
            request?: components["schemas"]["DeliveryRequest"];
        };
        /** @description The request of a delivery. */
        DeliveryRequest: {
            /** @description Endpoint URL of the webhook. */
            url: string;
            /** @description Headers by name, without the signatures, which are new for each attempt. Custom headers show their last 4 characters only. */
            headers: {
                [key: string]: string;
            };
            /** @description Body; null if it was erased or can't be rendered. */
            body: string | null;
            /** @description Why the body can't be rendered. */
            message?: string;
        };
        /** @description Submissions of a kind of device. */
        DeviceCount: {
            /**
             * @description Kind of device.
             * @enum {string}
             */
            device: "desktop" | "phone" | "tablet";
            /** @description Submissions from such devices. */
            count: number;
        };
        /** @description Options of the copy. */
        DuplicateIn: {
            /** @description Name of the new form. Default: the name of the original followed by "(copy)". */
            name?: string;
        };
        /** @description What visitors with certain answers see after submission. */
        Ending: {
            /** @description Name of the ending, unique in the form; key of its translations. */
            name: string;
            when: components["schemas"]["LogicConditions"];
            /** @description Heading after submission. */
            title?: string;
            /** @description Text after submission. */
            message?: string;
            /** @description URL to redirect to after submission. */
            redirectUrl?: string;
        };
        /** @description What visitors with certain answers see after submission. */
        EndingInput: {
            /** @description Name of the ending, unique in the form; key of its translations. */
            name: string;
            when: components["schemas"]["LogicConditionsInput"];
            /** @description Heading after submission. */
            title?: string;
            /** @description Text after submission. */
            message?: string;
            /** @description URL to redirect to after submission. */
            redirectUrl?: string;
        };
        /** @description What an erasure found and erased. */
        Erasure: {
            /**
             * Format: date-time
             * @description When the data was erased.
             */
            erasedAt: string;
            /** @description Ids of the erased submissions. */
            submissionIds: string[];
            /** @description Ids of the erased tasks. */
            taskIds: string[];
            /** @description Ids of the deliveries whose body was erased. */
            deliveryIds: string[];
            /** @description Endpoints that received the data; ask their operators to erase it too. Webhooks are known from their deliveries: for 30 days, and while the webhook exists. A webhook is listed once for each URL that received the data. */
            endpoints: components["schemas"]["ErasureEndpoint"][];
        };
        /** @description An endpoint that received the data before it was erased. */
        ErasureEndpoint: {
            /**
             * @description Webhook of a form, or callback of a task.
             * @enum {string}
             */
            kind: "webhook" | "callback";
            /** @description Id of the webhook, or of the task with the callback. */
            id: string;
            /** @description Form whose data the endpoint received. */
            formId: string;
            /** @description URL that received the data, without query and fragment, and without its path if that contains the value. It may be a former URL of the webhook. */
            url: string;
            /**
             * Format: date-time
             * @description When the data was last sent there, whether the endpoint responded or not.
             */
            receivedAt: string;
        };
        /** @description Whose data to erase. */
        ErasureIn: {
            /** @description Exact value of a field, case-sensitive; parts of a value do not match. Write a number as text. */
            value: string;
        };
        /** @description An event type and the payload that webhooks get. */
        EventType: {
            /**
             * @description The event type.
             * @enum {string}
             */
            type: "hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
            /** @description When the event is sent. */
            description: string;
            /** @description Version of the payload, as in the header `Svc-Payload-Version`. */
            version: string;
            /** @description A payload with every property. */
            example: {
                [key: string]: unknown;
            };
            /** @description A payload with only the properties that are always present. */
            minimalExample: {
                [key: string]: unknown;
            };
            /** @description JSON Schema (2020-12) of the payload. */
            schema: {
                [key: string]: unknown;
            };
        };
        /** @description Every event type, in the order of the reference. */
        EventTypes: components["schemas"]["EventType"][];
        /** @description One option of a field. */
        FieldOption: {
            /** @description Submitted value; not empty for `select` and `radio`. */
            value: string;
            /** @description Label of the option. Default: the value. */
            label?: string;
        };
        /** @description Summary of the values of a field. */
        FieldSummary: {
            /** @description Name of the field. */
            name: string;
            /** @description Submissions with a value. */
            answered: number;
            /** @description For choices, ratings, checkboxes and consents: the most frequent values, at most 50. */
            choices?: components["schemas"]["ChoiceCount"][];
            /** @description For numbers and ratings. */
            numbers?: components["schemas"]["NumberSummary"];
            /** @description For ratings from 0 to 10. */
            nps?: components["schemas"]["NpsSummary"];
        };
        /** @description The texts of a field in another language. */
        FieldTranslation: {
            /** @description Label or text of the field. */
            label?: string;
            /** @description Placeholder. */
            placeholder?: string;
            /** @description Help text. */
            help?: string;
            /** @description Alternative text. */
            alt?: string;
            /** @description Labels of the options by their value. */
            options?: {
                [key: string]: string;
            };
        };
        /** @description What a filter does with recent events. */
        FilterPreview: {
            /** @description How many of the events pass. */
            passing: number;
            /** @description The newest events, newest first. One more follows of each type that they lack. */
            events: components["schemas"]["PreviewedEvent"][];
        };
        /** @description A filter to try on recent events of the form. */
        FilterPreviewIn: {
            filter?: components["schemas"]["WebhookFilterInput"];
            /** @description Webhook whose saved values stand for those that are absent here. */
            webhookId?: string;
            /** @description Event types to try. Default: those of the webhook, or form.submission.new. */
            events?: ("form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /**
             * @description Most events to return, newest first. One more follows of each type that they lack.
             * @default 20
             */
            limit?: number;
        };
        /** @description A form. */
        Form: {
            /** @description Id of the form. */
            id: string;
            /** @description Account that owns the form. */
            accountId: string;
            /** @description Name of the form. */
            name: string;
            /** @description Description of the form for the team. */
            description?: string;
            /** @description Title that visitors see. Default: the name. */
            title?: string;
            /** @description Text below the title that visitors see, as Markdown with links. */
            intro?: string;
            /** @description Fields of the form, in order. Names must be unique. */
            fields: components["schemas"]["FormField"][];
            settings: components["schemas"]["FormSettings"];
            /**
             * Format: date-time
             * @description When the form was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the form was last published.
             */
            updatedAt: string;
            /** @description Published version of the form, incremented by each publication; use it in `If-Match`. 0 for a form that was never published, which needs `draft.etag` there. */
            version: number;
            /** @description Present when the form has a draft. */
            draft?: components["schemas"]["FormDraft"];
            scriptLastSeen?: components["schemas"]["ScriptSighting"];
        };
        /** @description Changes that are saved and not published. */
        FormDraft: {
            /** @description Entity tag of the draft, for `If-Match` of a PUT with `?draft=true`, or of any PUT if the form was never published. */
            etag: string;
            /** @description Version that was published when the draft was last saved; 0 for a form that was never published. */
            basedOn: number;
            /**
             * Format: date-time
             * @description When the draft was last saved.
             */
            updatedAt: string;
            /** @description Id of the user or key that saved it; null if unknown. */
            updatedBy: string | null;
        };
        /** @description A field of a form. */
        FormField: {
            /** @description Name of the field; key of its value in submitted data. */
            name: string;
            /**
             * @description Type of the field.
             * @enum {string}
             */
            type: "text" | "textarea" | "email" | "tel" | "url" | "number" | "date" | "time" | "select" | "radio" | "checkboxes" | "checkbox" | "rating" | "hidden" | "consent" | "heading" | "paragraph" | "image" | "divider";
            /** @description Label of the field. Default: the name. May contain links: `[terms](https://…)`. Text of a `heading`, a `paragraph` (Markdown) or a `consent`, which need it. */
            label?: string;
            /** @description URL of an `image`, which needs it. Other types ignore it. */
            src?: string;
            /** @description Alternative text of an `image`. Default: none, for pictures that only decorate. */
            alt?: string;
            /** @description Whether a value is required. Default: false. */
            required?: boolean;
            /** @description Placeholder while the field is empty. */
            placeholder?: string;
            /** @description Help text below the field. */
            help?: string;
            /** @description Options of `select`, `radio` and `checkboxes`, which need at least one. Values must be unique. */
            options?: components["schemas"]["FieldOption"][];
            /** @description Minimum: a number for `number` and `rating` (default: 1), YYYY-MM-DD for `date`, HH:MM for `time`. Other types ignore it. */
            min?: number | string;
            /** @description Maximum, in the format of `min`. For `rating` at most 100, by default 5. */
            max?: number | string;
            /**
             * @description How a `rating` is drawn. Default: stars for up to seven values from 1, else numbers. Other types ignore it.
             * @enum {string}
             */
            ratingStyle?: "stars" | "hearts" | "numbers";
            /** @description Minimum number of characters of a text. */
            minLength?: number;
            /** @description Maximum number of characters of a text. Default: no limit but the size of the body. */
            maxLength?: number;
            /** @description Default value; must be valid for the field. */
            defaultValue?: string | number | boolean | string[];
            showIf?: components["schemas"]["ShowIf"];
            /** @description Step that shows the field, in a form with several steps. Default: 1. */
            step?: number;
        };
        /** @description A field of a form. */
        FormFieldInput: {
            /** @description Name of the field; key of its value in submitted data. */
            name: string;
            /**
             * @description Type of the field.
             * @enum {string}
             */
            type: "text" | "textarea" | "email" | "tel" | "url" | "number" | "date" | "time" | "select" | "radio" | "checkboxes" | "checkbox" | "rating" | "hidden" | "consent" | "heading" | "paragraph" | "image" | "divider";
            /** @description Label of the field. Default: the name. May contain links: `[terms](https://…)`. Text of a `heading`, a `paragraph` (Markdown) or a `consent`, which need it. */
            label?: string;
            /** @description URL of an `image`, which needs it. Other types ignore it. */
            src?: string;
            /** @description Alternative text of an `image`. Default: none, for pictures that only decorate. */
            alt?: string;
            /** @description Whether a value is required. Default: false. */
            required?: boolean;
            /** @description Placeholder while the field is empty. */
            placeholder?: string;
            /** @description Help text below the field. */
            help?: string;
            /** @description Options of `select`, `radio` and `checkboxes`, which need at least one. Values must be unique. */
            options?: components["schemas"]["FieldOption"][];
            /** @description Minimum: a number for `number` and `rating` (default: 1), YYYY-MM-DD for `date`, HH:MM for `time`. Other types ignore it. */
            min?: number | string;
            /** @description Maximum, in the format of `min`. For `rating` at most 100, by default 5. */
            max?: number | string;
            /**
             * @description How a `rating` is drawn. Default: stars for up to seven values from 1, else numbers. Other types ignore it.
             * @enum {string}
             */
            ratingStyle?: "stars" | "hearts" | "numbers";
            /** @description Minimum number of characters of a text. */
            minLength?: number;
            /** @description Maximum number of characters of a text. Default: no limit but the size of the body. */
            maxLength?: number;
            /** @description Default value; must be valid for the field. */
            defaultValue?: string | number | boolean | string[];
            showIf?: components["schemas"]["ShowIfInput"];
            /** @description Step that shows the field, in a form with several steps. Default: 1. */
            step?: number;
        };
        /** @description A form to create, or to replace the saved one. */
        FormIn: {
            /** @description Name of the form. */
            name: string;
            /** @description Description of the form for the team. */
            description?: string;
            /** @description Title that visitors see. Default: the name. */
            title?: string;
            /** @description Text below the title that visitors see, as Markdown with links. */
            intro?: string;
            /** @description Fields of the form, in order. Names must be unique. */
            fields?: components["schemas"]["FormFieldInput"][];
            settings?: components["schemas"]["FormSettingsIn"];
            /** @description Ignored, so that the response of a GET can be sent back. */
            id?: unknown;
            /** @description Ignored, so that the response of a GET can be sent back. */
            accountId?: unknown;
            /** @description Ignored, so that the response of a GET can be sent back. */
            createdAt?: unknown;
            /** @description Ignored, so that the response of a GET can be sent back. */
            updatedAt?: unknown;
            /** @description Ignored, so that the response of a GET can be sent back. */
            version?: unknown;
            /** @description Ignored, so that the response of a GET can be sent back. */
            draft?: unknown;
            /** @description Ignored, so that the response of a GET can be sent back. */
            scriptLastSeen?: unknown;
        };
        /** @description Groups whose members review the form. Other users with the role `reviewer` see neither the form nor its submissions and tasks. Default: every reviewer. */
        FormReviewers: {
            /** @description Ids of groups. */
            groups: string[];
        };
        /** @description Settings of a form. */
        FormSettings: {
            popup?: components["schemas"]["Popup"];
            /**
             * @description How the form is shown. All but `inline` need popup mode. Default: `modal` in popup mode, else `inline`.
             * @enum {string}
             */
            placement?: "inline" | "modal" | "slide-in" | "bar" | "fullscreen";
            /**
             * @description Corner of a `slide-in` (default: bottom-right), or edge of a `bar` (default: bottom).
             * @enum {string}
             */
            position?: "bottom-right" | "bottom-left" | "top-right" | "top-left" | "bottom" | "top";
            theme?: components["schemas"]["Theme"];
            /** @description Label of the submit button. */
            submitLabel?: string;
            thankYou?: components["schemas"]["ThankYou"];
            /** @description Jumps between steps. Fields on skipped steps are hidden. */
            jumps?: components["schemas"]["Jump"][];
            /** @description Endings by answer: the first whose conditions hold replaces `thankYou`. */
            endings?: components["schemas"]["Ending"][];
            /**
             * @description Language of the form’s own texts. With it, the form is shown only in this language and those of its translations, otherwise in this one.
             * @enum {string}
             */
            language?: "en" | "de" | "fr" | "es" | "it" | "pt-BR" | "nl" | "pl" | "tr" | "ja" | "zh-CN" | "ar";
            /** @description The texts of a form in other languages, by language. */
            translations?: {
                en?: components["schemas"]["Translation"];
                de?: components["schemas"]["Translation"];
                fr?: components["schemas"]["Translation"];
                es?: components["schemas"]["Translation"];
                it?: components["schemas"]["Translation"];
                "pt-BR"?: components["schemas"]["Translation"];
                nl?: components["schemas"]["Translation"];
                pl?: components["schemas"]["Translation"];
                tr?: components["schemas"]["Translation"];
                ja?: components["schemas"]["Translation"];
                "zh-CN"?: components["schemas"]["Translation"];
                ar?: components["schemas"]["Translation"];
            };
            /** @description Whether the browser keeps unsubmitted values until the tab is closed, so that they survive a reload. Default: true. */
            keepDraft?: boolean;
            notifications?: components["schemas"]["Notifications"];
            metadata?: components["schemas"]["CapturedMetadata"];
            /** @description Origins whose pages may submit the form. Default: any; an empty list allows none. The hosted page of the form may always submit it. */
            allowedOrigins?: string[];
            spam?: components["schemas"]["SpamSettings"];
            tasks?: components["schemas"]["TaskSettings"];
            reviewers?: components["schemas"]["FormReviewers"];
            closing?: components["schemas"]["Closing"];
            /** @description Days after which submissions and resolved tasks are erased. Default: `retentionDays` of the account. */
            retentionDays?: number;
        };
        /** @description Settings of a form. */
        FormSettingsIn: {
            popup?: components["schemas"]["PopupIn"];
            /**
             * @description How the form is shown. All but `inline` need popup mode. Default: `modal` in popup mode, else `inline`.
             * @enum {string}
             */
            placement?: "inline" | "modal" | "slide-in" | "bar" | "fullscreen";
            /**
             * @description Corner of a `slide-in` (default: bottom-right), or edge of a `bar` (default: bottom).
             * @enum {string}
             */
            position?: "bottom-right" | "bottom-left" | "top-right" | "top-left" | "bottom" | "top";
            theme?: components["schemas"]["Theme"];
            /** @description Label of the submit button. */
            submitLabel?: string;
            thankYou?: components["schemas"]["ThankYou"];
            /** @description Jumps between steps. Fields on skipped steps are hidden. */
            jumps?: components["schemas"]["JumpInput"][];
            /** @description Endings by answer: the first whose conditions hold replaces `thankYou`. */
            endings?: components["schemas"]["EndingInput"][];
            /**
             * @description Language of the form’s own texts. With it, the form is shown only in this language and those of its translations, otherwise in this one.
             * @enum {string}
             */
            language?: "en" | "de" | "fr" | "es" | "it" | "pt-BR" | "nl" | "pl" | "tr" | "ja" | "zh-CN" | "ar";
            /** @description The texts of a form in other languages, by language. */
            translations?: {
                en?: components["schemas"]["TranslationInput"];
                de?: components["schemas"]["TranslationInput"];
                fr?: components["schemas"]["TranslationInput"];
                es?: components["schemas"]["TranslationInput"];
                it?: components["schemas"]["TranslationInput"];
                "pt-BR"?: components["schemas"]["TranslationInput"];
                nl?: components["schemas"]["TranslationInput"];
                pl?: components["schemas"]["TranslationInput"];
                tr?: components["schemas"]["TranslationInput"];
                ja?: components["schemas"]["TranslationInput"];
                "zh-CN"?: components["schemas"]["TranslationInput"];
                ar?: components["schemas"]["TranslationInput"];
            };
            /** @description Whether the browser keeps unsubmitted values until the tab is closed, so that they survive a reload. Default: true. */
            keepDraft?: boolean;
            notifications?: components["schemas"]["Notifications"];
            metadata?: components["schemas"]["CapturedMetadata"];
            /** @description Origins whose pages may submit the form. Default: any; an empty list allows none. The hosted page of the form may always submit it. */
            allowedOrigins?: string[];
            spam?: components["schemas"]["SpamSettings"];
            tasks?: components["schemas"]["TaskSettingsInput"];
            reviewers?: components["schemas"]["FormReviewers"];
            closing?: components["schemas"]["Closing"];
            /** @description Days after which submissions and resolved tasks are erased. Default: `retentionDays` of the account. */
            retentionDays?: number;
        };
        /** @description Settings of a form. */
        FormSettingsInput: {
            popup?: components["schemas"]["PopupInput"];
            /**
             * @description How the form is shown. All but `inline` need popup mode. Default: `modal` in popup mode, else `inline`.
             * @enum {string}
             */
            placement?: "inline" | "modal" | "slide-in" | "bar" | "fullscreen";
            /**
             * @description Corner of a `slide-in` (default: bottom-right), or edge of a `bar` (default: bottom).
             * @enum {string}
             */
            position?: "bottom-right" | "bottom-left" | "top-right" | "top-left" | "bottom" | "top";
            theme?: components["schemas"]["Theme"];
            /** @description Label of the submit button. */
            submitLabel?: string;
            thankYou?: components["schemas"]["ThankYou"];
            /** @description Jumps between steps. Fields on skipped steps are hidden. */
            jumps?: components["schemas"]["JumpInput"][];
            /** @description Endings by answer: the first whose conditions hold replaces `thankYou`. */
            endings?: components["schemas"]["EndingInput"][];
            /**
             * @description Language of the form’s own texts. With it, the form is shown only in this language and those of its translations, otherwise in this one.
             * @enum {string}
             */
            language?: "en" | "de" | "fr" | "es" | "it" | "pt-BR" | "nl" | "pl" | "tr" | "ja" | "zh-CN" | "ar";
            /** @description The texts of a form in other languages, by language. */
            translations?: {
                en?: components["schemas"]["TranslationInput"];
                de?: components["schemas"]["TranslationInput"];
                fr?: components["schemas"]["TranslationInput"];
                es?: components["schemas"]["TranslationInput"];
                it?: components["schemas"]["TranslationInput"];
                "pt-BR"?: components["schemas"]["TranslationInput"];
                nl?: components["schemas"]["TranslationInput"];
                pl?: components["schemas"]["TranslationInput"];
                tr?: components["schemas"]["TranslationInput"];
                ja?: components["schemas"]["TranslationInput"];
                "zh-CN"?: components["schemas"]["TranslationInput"];
                ar?: components["schemas"]["TranslationInput"];
            };
            /** @description Whether the browser keeps unsubmitted values until the tab is closed, so that they survive a reload. Default: true. */
            keepDraft?: boolean;
            notifications?: components["schemas"]["Notifications"];
            metadata?: components["schemas"]["CapturedMetadata"];
            /** @description Origins whose pages may submit the form. Default: any; an empty list allows none. The hosted page of the form may always submit it. */
            allowedOrigins?: string[];
            spam?: components["schemas"]["SpamSettings"];
            tasks?: components["schemas"]["TaskSettingsInput"];
            reviewers?: components["schemas"]["FormReviewers"];
            closing?: components["schemas"]["Closing"];
            /** @description Days after which submissions and resolved tasks are erased. Default: `retentionDays` of the account. */
            retentionDays?: number;
        };
        /** @description Statistics of a form. */
        FormStats: {
            /** @description Id of the form. */
            formId: string;
            /** @description Current number of submissions of the form, from all sources and days. */
            totalSubmissions: number;
            /** @description One entry for each day of the period, in order, including days without data. */
            days: components["schemas"]["PopupDay"][];
        };
        /** @description Summary of the submissions of a form in a period. */
        FormSummary: {
            /** @description Summarized submissions. */
            submissions: number;
            /** @description False if the period has more submissions: then only the newest ones are summarized. */
            isComplete: boolean;
            /** @description In the order of the form, without texts and hidden fields. */
            fields: components["schemas"]["FieldSummary"][];
            /** @description Pages that sent their URL, by frequency, at most 20. */
            pages: components["schemas"]["PageCount"][];
            /** @description If the form stores user agents, by frequency. */
            devices: components["schemas"]["DeviceCount"][];
        };
        /** @description A template to create forms from. */
        FormTemplate: {
            /**
             * @description Version of the template format.
             * @constant
             */
            template: 1;
            /** @description Name of the form. */
            name: string;
            /** @description Description of the form for the team. */
            description?: string;
            /** @description Title that visitors see. Default: the name. */
            title?: string;
            /** @description Text below the title that visitors see, as Markdown with links. */
            intro?: string;
            /** @description Fields of the form, in order. Names must be unique. */
            fields: components["schemas"]["FormField"][];
            settings: components["schemas"]["FormSettings"];
        };
        /** @description A template to create a form from. */
        FormTemplateIn: {
            /**
             * @description Version of the template format.
             * @constant
             */
            template: 1;
            /** @description Name of the form. */
            name: string;
            /** @description Description of the form for the team. */
            description?: string;
            /** @description Title that visitors see. Default: the name. */
            title?: string;
            /** @description Text below the title that visitors see, as Markdown with links. */
            intro?: string;
            /** @description Fields of the form, in order. Names must be unique. */
            fields?: components["schemas"]["FormFieldInput"][];
            settings?: components["schemas"]["FormSettingsInput"];
        };
        /** @description A published version of a form. */
        FormVersion: {
            /** @description Number of the version. */
            version: number;
            /** @description Name of the form. */
            name: string;
            /** @description Whether visitors see this version. */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description When it was published.
             */
            publishedAt: string;
            /** @description Id of the user or key that published it; null if unknown. */
            publishedBy: string | null;
        };
        /** @description A published version of a form, with its content. */
        FormVersionDetail: {
            /** @description Number of the version. */
            version: number;
            /** @description Name of the form. */
            name: string;
            /** @description Whether visitors see this version. */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description When it was published.
             */
            publishedAt: string;
            /** @description Id of the user or key that published it; null if unknown. */
            publishedBy: string | null;
            /** @description Description of the form for the team. */
            description?: string;
            /** @description Title that visitors see. Default: the name. */
            title?: string;
            /** @description Text below the title that visitors see, as Markdown with links. */
            intro?: string;
            /** @description Fields of the form, in order. Names must be unique. */
            fields: components["schemas"]["FormField"][];
            settings: components["schemas"]["FormSettings"];
        };
        /** @description Statistics of the requested forms, in order, without those that do not exist. */
        FormsStats: components["schemas"]["FormStats"][];
        /** @description A group of users, for the policies of tasks. */
        Group: {
            /** @description Id of the group. */
            id: string;
            /** @description Name of the group, unique in the account. */
            name: string;
            /** @description Ids of the users in the group. */
            members: string[];
            /**
             * Format: date-time
             * @description When the group was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the group was last changed.
             */
            updatedAt: string;
        };
        /** @description A group to create. */
        GroupIn: {
            /** @description Name of the group, unique in the account. */
            name: string;
            /**
             * @description Ids of the users in the group. Default: none.
             * @default []
             */
            members?: string[];
        };
        /** @description Changes to a group. `members` replaces all members. */
        GroupPatch: {
            /** @description Name of the group, unique in the account. */
            name?: string;
            /** @description Ids of the users in the group. */
            members?: string[];
        };
        /** @description An inbound endpoint of a form. */
        InboundEndpoint: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description Form that receives the submissions. */
            formId: string;
            /** @description Name of the endpoint, to tell the endpoints of a form apart. */
            name: string;
            /** @description Last four characters of the token, to tell tokens apart. */
            tokenLast4: string;
            /** @description Whether requests must be signed. */
            hasSecret: boolean;
            /** @description Whether requests must be signed with a timestamp: the signature covers `X-SvcForms-Timestamp`, a dot and the body, and may be at most 300 seconds old. Needs a secret. */
            requireTimestamp: boolean;
            /** @description Maps keys of the request body to field names. */
            fieldMapping: {
                [key: string]: string;
            };
            /** @description Whether the endpoint accepts requests. */
            isEnabled: boolean;
            /** @description URL to POST submissions to. */
            url: string;
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            createdAt: string;
        };
        /** @description A new inbound endpoint. */
        InboundEndpointCreated: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description Form that receives the submissions. */
            formId: string;
            /** @description Name of the endpoint, to tell the endpoints of a form apart. */
            name: string;
            /** @description Last four characters of the token, to tell tokens apart. */
            tokenLast4: string;
            /** @description Whether requests must be signed. */
            hasSecret: boolean;
            /** @description Whether requests must be signed with a timestamp: the signature covers `X-SvcForms-Timestamp`, a dot and the body, and may be at most 300 seconds old. Needs a secret. */
            requireTimestamp: boolean;
            /** @description Maps keys of the request body to field names. */
            fieldMapping: {
                [key: string]: string;
            };
            /** @description Whether the endpoint accepts requests. */
            isEnabled: boolean;
            /** @description URL to POST submissions to. */
            url: string;
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            createdAt: string;
            /** @description Bearer token, shown only once; null in a replayed idempotent response. */
            token: string | null;
            /** @description Generated signing secret, shown only once. Absent if none was generated. */
            secret?: string | null;
        };
        /** @description An inbound endpoint after a change. */
        InboundEndpointPatched: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description Form that receives the submissions. */
            formId: string;
            /** @description Name of the endpoint, to tell the endpoints of a form apart. */
            name: string;
            /** @description Last four characters of the token, to tell tokens apart. */
            tokenLast4: string;
            /** @description Whether requests must be signed. */
            hasSecret: boolean;
            /** @description Whether requests must be signed with a timestamp: the signature covers `X-SvcForms-Timestamp`, a dot and the body, and may be at most 300 seconds old. Needs a secret. */
            requireTimestamp: boolean;
            /** @description Maps keys of the request body to field names. */
            fieldMapping: {
                [key: string]: string;
            };
            /** @description Whether the endpoint accepts requests. */
            isEnabled: boolean;
            /** @description URL to POST submissions to. */
            url: string;
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            createdAt: string;
            /** @description Generated signing secret, shown only once. Absent if none was generated. */
            secret?: string | null;
        };
        /** @description An inbound endpoint with a new token; the old token no longer works. */
        InboundEndpointRotated: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description Form that receives the submissions. */
            formId: string;
            /** @description Name of the endpoint, to tell the endpoints of a form apart. */
            name: string;
            /** @description Last four characters of the token, to tell tokens apart. */
            tokenLast4: string;
            /** @description Whether requests must be signed. */
            hasSecret: boolean;
            /** @description Whether requests must be signed with a timestamp: the signature covers `X-SvcForms-Timestamp`, a dot and the body, and may be at most 300 seconds old. Needs a secret. */
            requireTimestamp: boolean;
            /** @description Maps keys of the request body to field names. */
            fieldMapping: {
                [key: string]: string;
            };
            /** @description Whether the endpoint accepts requests. */
            isEnabled: boolean;
            /** @description URL to POST submissions to. */
            url: string;
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            createdAt: string;
            /** @description Bearer token, shown only once; null in a replayed idempotent response. */
            token: string | null;
        };
        /** @description An inbound endpoint to create. */
        InboundIn: {
            /** @description Signing secret of requests; true generates one. Default: requests are not signed. */
            secret?: string | true;
            /** @description Maps keys of the request body to field names; unmapped keys keep their names. A key that the body does not contain literally is read as a dotted path into objects and arrays: `customer.mail`, `items.0.sku`. */
            fieldMapping?: {
                [key: string]: string;
            };
            /**
             * @description Whether the endpoint accepts requests.
             * @default true
             */
            isEnabled?: boolean;
            /** @description Name of the endpoint, to tell the endpoints of a form apart. */
            name?: string;
            /** @description Whether requests must be signed with a timestamp: the signature covers `X-SvcForms-Timestamp`, a dot and the body, and may be at most 300 seconds old. Needs a secret. */
            requireTimestamp?: boolean;
        };
        /** @description Changes to an inbound endpoint. */
        InboundPatch: {
            /** @description New signing secret; true generates one, null removes it and `requireTimestamp`. */
            secret?: string | true | null;
            /** @description Maps keys of the request body to field names; unmapped keys keep their names. A key that the body does not contain literally is read as a dotted path into objects and arrays: `customer.mail`, `items.0.sku`. */
            fieldMapping?: {
                [key: string]: string;
            };
            /** @description Whether the endpoint accepts requests. */
            isEnabled?: boolean;
            /** @description Name of the endpoint, to tell the endpoints of a form apart. */
            name?: string;
            /** @description Whether requests must be signed with a timestamp: the signature covers `X-SvcForms-Timestamp`, a dot and the body, and may be at most 300 seconds old. Needs a secret. */
            requireTimestamp?: boolean;
        };
        /** @description A request to an inbound endpoint, accepted or refused. */
        InboundRequest: {
            /**
             * Format: date-time
             * @description When the response was sent.
             */
            time: string;
            /** @description Status code of the response. */
            status: number;
            /** @description Error code; null for a success. */
            code: string | null;
            /** @description JSON pointer to the first refused value in the body; null if there is none. */
            pointer: string | null;
            /** @description IP address of the client. */
            ip: string;
            /** @description Size of the request body in bytes; null if unknown. */
            size: number | null;
        };
        /** @description The last 50 requests, newest first, including refused ones. */
        InboundRequests: components["schemas"]["InboundRequest"][];
        /** @description Which step follows a step. The first jump from it whose conditions hold applies; one without conditions always does. */
        Jump: {
            /** @description Step after which visitors jump. */
            from: number;
            /** @description Later step that follows instead of the next one, or the end of the form. */
            to: number | "end";
            when?: components["schemas"]["LogicConditions"];
        };
        /** @description Which step follows a step. The first jump from it whose conditions hold applies; one without conditions always does. */
        JumpInput: {
            /** @description Step after which visitors jump. */
            from: number;
            /** @description Later step that follows instead of the next one, or the end of the form. */
            to: number | "end";
            when?: components["schemas"]["LogicConditionsInput"];
        };
        /** @description One condition on the answer to a field. It never holds while that field is hidden. */
        LogicCondition: {
            /** @description Name of another field of the form. */
            field: string;
            /**
             * @description Equal, or not equal; of several choices: selected, or not. `contains`: part of a text, or a selected choice. Greater or later; less or earlier.
             * @enum {string}
             */
            op: "eq" | "ne" | "contains" | "gt" | "lt";
            /** @description Value to compare the answer with. */
            value: string | number | boolean;
        } | {
            /** @description Name of another field of the form. */
            field: string;
            /**
             * @description Whether there is an answer; a box is ticked.
             * @constant
             */
            op: "answered";
            /** @description false: there is no answer. Default: true. */
            value?: boolean;
        };
        /** @description Conditions on answers. */
        LogicConditions: {
            /** @description All of these must hold. */
            all: components["schemas"]["LogicCondition"][];
        } | {
            /** @description At least one of these must hold. */
            any: components["schemas"]["LogicCondition"][];
        };
        /** @description Conditions on answers. */
        LogicConditionsInput: {
            /** @description All of these must hold. */
            all: components["schemas"]["LogicCondition"][];
        } | {
            /** @description At least one of these must hold. */
            any: components["schemas"]["LogicCondition"][];
        };
        /** @description An email address for notifications about submissions. */
        NotificationAddress: {
            /** @description Id of the address. */
            id: string;
            /** @description Email address, in lower case. */
            email: string;
            /**
             * @description `verified`: gets notifications. `pending`: the verification email is not confirmed. `unsubscribed`: gets none. Addresses of users of the account are verified.
             * @enum {string}
             */
            status: "pending" | "verified" | "unsubscribed";
            /** @description When the address was confirmed; null if it was not, and for a user of the account. */
            verifiedAt: string | null;
            /**
             * Format: date-time
             * @description When a form first named the address.
             */
            createdAt: string;
        };
        /** @description Email notifications about new submissions. */
        Notifications: {
            /** @description Recipients of an email about each new submission. */
            emails?: string[];
        };
        /** @description Net Promoter Score of a rating from 0 to 10. */
        NpsSummary: {
            /** @description Net Promoter Score: the percentage of promoters minus that of detractors. */
            score: number;
            /** @description Values of 9 and 10. */
            promoters: number;
            /** @description Values of 7 and 8. */
            passives: number;
            /** @description Values from 0 to 6. */
            detractors: number;
        };
        /** @description Statistics of numbers. */
        NumberSummary: {
            /** @description Smallest value. */
            min: number;
            /** @description Largest value. */
            max: number;
            /** @description Arithmetic mean. */
            mean: number;
            /** @description Median. */
            median: number;
        };
        /** @description Submissions of a page. */
        PageCount: {
            /** @description URL without query. */
            page: string;
            /** @description Submissions from this page. */
            count: number;
        };
        /** @description Position in the list. */
        Pagination: {
            /** @description `cursor` of the next page; null on the last page. A page of large entries has fewer than `limit`, and a search may return an empty page, with a `nextCursor`. */
            nextCursor: string | null;
            /** @description Maximum number of entries on a page. */
            limit: number;
        };
        /** @description Why a payload could not be rendered. */
        PayloadError: {
            /** @description What is wrong. */
            message: string;
            /**
             * @description What `line` and `column` refer to: the template, or the body that it rendered.
             * @enum {string}
             */
            in: "template" | "body";
            /** @description Line, from 1. Absent if it is not known. */
            line?: number;
            /** @description Column, from 1. */
            column?: number;
        };
        /** @description The body that a webhook would send. */
        PayloadPreview: {
            /**
             * @description Type of the event.
             * @enum {string}
             */
            eventType: "hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
            /** @description Content type of the request. */
            contentType: string;
            /** @description Body of the request, byte for byte. null if the template failed; with an error in the `body`, the invalid body. */
            body: string | null;
            /** @description Why nothing would be sent; null on success. */
            error: components["schemas"]["PayloadError"] | null;
        };
        /** @description A payload setting to try, saved or not, and an event. */
        PayloadPreviewIn: {
            payload: components["schemas"]["WebhookPayloadIn"];
            /** @description Id of a delivery whose event is rendered. Default: a sample event. */
            deliveryId?: string;
            /**
             * @description Type of the sample event. Default: `form.submission.new`. Ignored with `deliveryId`.
             * @enum {string}
             */
            eventType?: "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
        };
        /** @description Popup settings of a form. */
        Popup: {
            /** @description Whether popup mode is on. Default: false. */
            enabled?: boolean;
            /**
             * @description Trigger that opens the popup; required if popup mode is on.
             * @enum {string}
             */
            trigger?: "exit" | "delay" | "inactivity" | "scroll" | "click" | "visible" | "intent" | "all";
            /** @description Milliseconds of `delay` and `inactivity`. Default: 5000. */
            delayMs?: number;
            /** @description Scroll depth of `scroll`, in percent of the page height. Default: 50. */
            scrollPercent?: number;
            /**
             * @description Level of engagement for `intent`. Default: either level.
             * @enum {string}
             */
            intentLevel?: "warm" | "hot";
            /** @description CSS selector of the elements that `click` and `visible` watch. */
            selector?: string;
            /** @description The two conditions of `all`; both must be met. */
            and?: components["schemas"]["PopupCondition"][];
            /** @description Distance from the top edge, in pixels, that counts as exit intent. Default: 20. */
            exitSensitivityPx?: number;
            /** @description Milliseconds that the cursor must be outside the page before it counts as exit intent. Default: 1000. */
            mouseLeaveDelayMs?: number;
            /**
             * @description Devices that show the popup. Default: all.
             * @enum {string}
             */
            devices?: "all" | "desktop" | "mobile";
            pages?: components["schemas"]["PopupPages"];
            /** @description Frequency cap: days before the same visitor sees the popup again. Default: 30. 0: once per session. */
            frequencyDays?: number;
            /** @description Maximum impressions per visitor. Default: no maximum. */
            maxShows?: number;
            decline?: components["schemas"]["PopupDecline"];
            trackingConsent?: components["schemas"]["TrackingConsent"];
        };
        /** @description One of the two conditions of `all`: a trigger (exit, delay, inactivity, scroll, click, visible, intent) and its parameter. */
        PopupCondition: {
            /**
             * @description Exit intent.
             * @constant
             */
            trigger: "exit";
        } | {
            /**
             * @description Time on page, or inactivity.
             * @enum {string}
             */
            trigger: "delay" | "inactivity";
            /** @description Milliseconds of `delay` and `inactivity`. Default: 5000. */
            delayMs?: number;
        } | {
            /**
             * @description Scroll depth.
             * @constant
             */
            trigger: "scroll";
            /** @description Scroll depth of `scroll`, in percent of the page height. Default: 50. */
            scrollPercent?: number;
        } | {
            /**
             * @description Click on an element, or element visible.
             * @enum {string}
             */
            trigger: "click" | "visible";
            /** @description CSS selector of the elements that `click` and `visible` watch. */
            selector: string;
        } | {
            /**
             * @description Engagement, from the analytics product.
             * @constant
             */
            trigger: "intent";
            /**
             * @description Level of engagement for `intent`. Default: either level.
             * @enum {string}
             */
            intentLevel?: "warm" | "hot";
        };
        /** @description Statistics of a popup for one day. */
        PopupDay: {
            /** @description Day in UTC. */
            date: string;
            /** @description Impressions. */
            shown: number;
            /** @description Submissions in the popup. */
            converted: number;
            /** @description Declines. */
            declined: number;
            /** @description Views of the form in the page and on the hosted page. Absent for none. */
            viewed?: number;
            /** @description Submissions in the page and on the hosted page, as browsers count them with the views. Absent on days without views or such submissions, and on days before the server counted it. */
            submitted?: number;
        };
        /** @description Decline button of the popup. */
        PopupDecline: {
            /** @description Whether the popup has a decline button. */
            enabled?: boolean;
            /** @description Label of the decline button. Default: No thanks. */
            text?: string;
            /** @description Days without the popup after a decline. Default: 90. 0: `frequencyDays` applies instead. */
            suppressDays?: number;
        };
        /** @description Popup settings of a form. In a PUT, an absent trigger parameter keeps its saved value and null removes it. */
        PopupIn: {
            /** @description Whether popup mode is on. Default: false. */
            enabled?: boolean;
            /**
             * @description Trigger that opens the popup; required if popup mode is on.
             * @enum {string}
             */
            trigger?: "exit" | "delay" | "inactivity" | "scroll" | "click" | "visible" | "intent" | "all";
            /** @description Milliseconds of `delay` and `inactivity`. Default: 5000. */
            delayMs?: number | null;
            /** @description Scroll depth of `scroll`, in percent of the page height. Default: 50. */
            scrollPercent?: number | null;
            /** @description Level of engagement for `intent`. Default: either level. */
            intentLevel?: ("warm" | "hot") | null;
            /** @description CSS selector of the elements that `click` and `visible` watch. */
            selector?: string | null;
            /** @description The two conditions of `all`; both must be met. */
            and?: components["schemas"]["PopupCondition"][] | null;
            /** @description Distance from the top edge, in pixels, that counts as exit intent. Default: 20. */
            exitSensitivityPx?: number | null;
            /** @description Milliseconds that the cursor must be outside the page before it counts as exit intent. Default: 1000. */
            mouseLeaveDelayMs?: number | null;
            /**
             * @description Devices that show the popup. Default: all.
             * @enum {string}
             */
            devices?: "all" | "desktop" | "mobile";
            pages?: components["schemas"]["PopupPages"];
            /** @description Frequency cap: days before the same visitor sees the popup again. Default: 30. 0: once per session. */
            frequencyDays?: number;
            /** @description Maximum impressions per visitor. Default: no maximum. */
            maxShows?: number;
            decline?: components["schemas"]["PopupDecline"];
            trackingConsent?: components["schemas"]["TrackingConsent"];
        };
        /** @description Popup settings of a form. */
        PopupInput: {
            /** @description Whether popup mode is on. Default: false. */
            enabled?: boolean;
            /**
             * @description Trigger that opens the popup; required if popup mode is on.
             * @enum {string}
             */
            trigger?: "exit" | "delay" | "inactivity" | "scroll" | "click" | "visible" | "intent" | "all";
            /** @description Milliseconds of `delay` and `inactivity`. Default: 5000. */
            delayMs?: number;
            /** @description Scroll depth of `scroll`, in percent of the page height. Default: 50. */
            scrollPercent?: number;
            /**
             * @description Level of engagement for `intent`. Default: either level.
             * @enum {string}
             */
            intentLevel?: "warm" | "hot";
            /** @description CSS selector of the elements that `click` and `visible` watch. */
            selector?: string;
            /** @description The two conditions of `all`; both must be met. */
            and?: components["schemas"]["PopupCondition"][];
            /** @description Distance from the top edge, in pixels, that counts as exit intent. Default: 20. */
            exitSensitivityPx?: number;
            /** @description Milliseconds that the cursor must be outside the page before it counts as exit intent. Default: 1000. */
            mouseLeaveDelayMs?: number;
            /**
             * @description Devices that show the popup. Default: all.
             * @enum {string}
             */
            devices?: "all" | "desktop" | "mobile";
            pages?: components["schemas"]["PopupPages"];
            /** @description Frequency cap: days before the same visitor sees the popup again. Default: 30. 0: once per session. */
            frequencyDays?: number;
            /** @description Maximum impressions per visitor. Default: no maximum. */
            maxShows?: number;
            decline?: components["schemas"]["PopupDecline"];
            trackingConsent?: components["schemas"]["TrackingConsent"];
        };
        /** @description Page targeting of the popup. Each list keeps its first 20 paths, and each path its first 200 characters including the leading slash. */
        PopupPages: {
            /** @description Paths that show the popup. `*` matches any text, so `/blog/*` matches everything under /blog. Default, or an empty list: every page. */
            include?: string[];
            /** @description Paths that never show the popup, even if included. */
            exclude?: string[];
        };
        /** @description An event, and whether the filter lets it pass. */
        PreviewedEvent: {
            /**
             * @description Type of the event.
             * @enum {string}
             */
            eventType: "hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
            /** @description Form of the event. */
            formId: string;
            /** @description Submission of the event, if it has one. */
            submissionId?: string;
            /** @description Task of the event, if it has one. */
            taskId?: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /** @description Whether it is a sample, because there is no recent event of its type. */
            sample: boolean;
            /** @description Whether the webhook would get the event. */
            passes: boolean;
            /** @description JSON pointer, within the filter, to the condition that decided. null if several did together, or without a filter. */
            decidedBy: string | null;
            /** @description What the path of that condition leads to, as JSON of at most 200 characters; null if it leads nowhere or no single condition decided. */
            found: string | null;
        };
        /** @description A challenge for a proof of work, as Altcha defines it. */
        ProofChallenge: {
            /**
             * @description Hash function.
             * @constant
             */
            algorithm: "SHA-256";
            /** @description Hash to find, in hex. */
            challenge: string;
            /** @description The number is at most this. */
            maxnumber: number;
            /** @description Text before the number. */
            salt: string;
            /** @description Signature of the challenge, in hex. */
            signature: string;
        };
        /** @description Period whose failed and held deliveries are sent again. */
        RecoverIn: {
            /**
             * Format: date-time
             * @description Start of the period, by creation time of the deliveries (inclusive).
             */
            since: string;
            /**
             * Format: date-time
             * @description End of the period (exclusive). Default: now.
             */
            until?: string;
            /**
             * @description Whether to count only and change nothing.
             * @default false
             */
            dryRun?: boolean;
        };
        /** @description Result of a recovery. */
        Recovery: {
            /** @description Number of failed and held deliveries in the period. */
            count: number;
            /** @description Whether the request only counted them. */
            dryRun: boolean;
        };
        /** @description A receipt to redeem before its action runs. */
        RedeemIn: {
            /** @description The receipt of the approved task (EdDSA JWT). */
            receipt: string;
            /** @description Arguments that are about to run. */
            args: {
                [key: string]: unknown;
            };
        };
        /** @description A redeemed receipt. */
        RedeemedReceipt: {
            /** @description Id of the task. */
            taskId: string;
            /** @description Name of the tool or function to run. */
            tool: string;
            /** @description `sha-256:` and the SHA-256 of the action as canonical JSON (RFC 8785) in base64url. */
            actionDigest: string;
            /** @description API keys or users that approved the task. */
            approvedBy: string[];
            /**
             * Format: date-time
             * @description When the task was approved.
             */
            approvedAt: string;
            /**
             * Format: date-time
             * @description When the receipt was redeemed.
             */
            redeemedAt: string;
        };
        /** @description A new secret for a webhook. */
        RotateSecretIn: {
            /** @description Signing secret. Default: generated. */
            secret?: string;
            /**
             * @description Hours in which the old secret also signs.
             * @default 24
             */
            overlapHours?: number;
        };
        /** @description The last request of the embed script for this form from a page of another origin. Absent until there is one. */
        ScriptSighting: {
            /** @description Host of the page’s origin, with its port. */
            host: string;
            /**
             * Format: date-time
             * @description When embed-cdn saw the request, to the minute.
             */
            at: string;
        };
        /** @description Conditions under which the field is shown, required and validated: on fields before it. `{field, equals}` is the form of earlier versions. */
        ShowIf: {
            /** @description Name of another field of the form. */
            field: string;
            /** @description Value that the other field must have; for several choices, one that must be selected. */
            equals: string | number | boolean;
        } | {
            /** @description All of these must hold. */
            all: components["schemas"]["LogicCondition"][];
        } | {
            /** @description At least one of these must hold. */
            any: components["schemas"]["LogicCondition"][];
        };
        /** @description Conditions under which the field is shown, required and validated: on fields before it. `{field, equals}` is the form of earlier versions. */
        ShowIfInput: {
            /** @description Name of another field of the form. */
            field: string;
            /** @description Value that the other field must have; for several choices, one that must be selected. */
            equals: string | number | boolean;
        } | {
            /** @description All of these must hold. */
            all: components["schemas"]["LogicCondition"][];
        } | {
            /** @description At least one of these must hold. */
            any: components["schemas"]["LogicCondition"][];
        };
        /** @description Spam protection of a form. Default: off. */
        SpamSettings: {
            /** @description Whether suspicious submissions of visitors go to quarantine. */
            isEnabled: boolean;
            /** @description Email addresses, domains with their subdomains, words or phrases, IP addresses and networks. Submissions that contain one of them, or come from such a network, go to quarantine. */
            blockList?: string[];
        };
        /** @description One entry for each day of the period, in order, including days without data. */
        Stats: components["schemas"]["StatsDay"][];
        /** @description Statistics of a form for one day. */
        StatsDay: {
            /** @description Day in UTC. */
            date: string;
            /** @description Impressions. */
            shown: number;
            /** @description Submissions in the popup. */
            converted: number;
            /** @description Declines. */
            declined: number;
            /** @description Views of the form in the page and on the hosted page. Absent for none. */
            viewed?: number;
            /** @description Submissions in the page and on the hosted page, as browsers count them with the views. Absent on days without views or such submissions, and on days before the server counted it. */
            submitted?: number;
            /** @description Submissions of that day from all sources that are still stored. Erased and quarantined ones are missing. */
            submissions: number;
        };
        /** @description A submission. */
        Submission: {
            /** @description Id of the submission. */
            id: string;
            /** @description Form that was submitted. */
            formId: string;
            /** @description Values by field name. */
            data: {
                [key: string]: unknown;
            };
            metadata: components["schemas"]["SubmissionMetadata"];
            /** @description Published version of the form that was submitted. Absent in submissions from before forms had versions. */
            formVersion?: number;
            /**
             * @description Whether the submission is in quarantine. It then caused no events.
             * @enum {string}
             */
            status: "accepted" | "quarantined";
            /**
             * @description Why the submission is in quarantine.
             * @enum {string}
             */
            quarantineReason?: "no_token" | "expired_token" | "reused_token" | "too_fast" | "no_proof" | "blocked_address" | "blocked_domain" | "blocked_word" | "blocked_network";
            /**
             * Format: date-time
             * @description When the submission arrived.
             */
            createdAt: string;
        };
        /** @description A stored submission. */
        SubmissionCreated: {
            /** @description Id of the submission. */
            submissionId: string;
        };
        /** @description A submission by a visitor. */
        SubmissionIn: {
            /** @description Values by field name. */
            data: {
                [key: string]: unknown;
            };
            /** @description URL of the page with the form; its first 2048 characters are stored. */
            page?: string;
            /** @description Milliseconds between showing and submitting the form. */
            elapsedMs?: number;
            /** @description What the visitor’s browser says about the submission. */
            metadata?: {
                /** @description Language in which the form was shown (BCP 47). Messages about invalid values are in it, if we speak it. Default: the preferred one in `Accept-Language`, else that of the form’s texts, else English. */
                language?: string;
            };
            /** @description Honeypot: a field that people cannot see. A value means that a bot filled it in. */
            hp?: string;
            /** @description Token of the form, for forms with spam protection. Usable once. */
            token?: string;
            /** @description Proof of work for the token: base64 of the challenge as JSON with the `number`. */
            proof?: string;
        };
        /** @description Metadata of a submission. */
        SubmissionMetadata: {
            /**
             * @description Source of the submission: a visitor (`web`), another system (`inbound`), or a resolved task (`task`).
             * @enum {string}
             */
            submittedVia: "web" | "inbound" | "task";
            /** @description Only if the form stores it. */
            ipAddress?: string;
            /** @description Only if the form stores it. */
            userAgent?: string;
            /** @description URL of the page with the form. */
            page?: string;
            /** @description Language in which the form was shown, as a BCP 47 tag. */
            language?: string;
            /** @description Task that created the submission. */
            taskId?: string;
            /**
             * @description Whether a person or the expiry resolved that task.
             * @enum {string}
             */
            resolvedBy?: "human" | "expiry";
        };
        /** @description A token for one submission of a form. */
        SubmissionToken: {
            /** @description Form that the token is for. */
            formId: string;
            /** @description Send it as `token` with one submission. */
            token: string;
            /**
             * Format: date-time
             * @description When the token expires.
             */
            expiresAt: string;
            /** @description A submission that follows in fewer milliseconds needs a proof. */
            minFillMs: number;
            /** @description Whether the submission needs a proof in any case. */
            isProofRequired: boolean;
            proof: components["schemas"]["ProofChallenge"];
        };
        /** @description A task: a decision that a program requests from a person. */
        Task: {
            /** @description Id of the task. */
            id: string;
            /** @description Same as `id`. */
            hitlTaskId: string;
            /** @description Form of the task. */
            templateId: string;
            /** @description Question in one line. */
            title?: string;
            /** @description Context for the reviewer, as Markdown. */
            description?: string;
            /** @description Initial values. */
            prefill: {
                [key: string]: unknown;
            };
            /** @description Fields that the reviewer may change. Default: all in form mode, none in approval mode. */
            editableFields?: string[];
            /**
             * @description `approval`: approve or reject. `form`: fill in the form and submit it.
             * @enum {string}
             */
            decisionMode: "approval" | "form";
            /**
             * @description Priority of the task.
             * @enum {string}
             */
            priority: "low" | "normal" | "high" | "urgent";
            /**
             * @description Status of the task.
             * @enum {string}
             */
            status: "awaiting" | "approved" | "rejected" | "submitted" | "expired" | "cancelled";
            /**
             * @description Outcome of the decision.
             * @enum {string}
             */
            outcome?: "approved" | "rejected" | "submitted";
            /** @description Values of the decision. In a pending task: the values that a reviewer changed with a vote, on which the next ones vote. */
            formData?: {
                [key: string]: unknown;
            };
            /** @description Changes when a vote changes the values. Only of a pending task. */
            valuesDigest?: string;
            /** @description Comment of the reviewer. */
            comment?: string;
            /** @description Chosen reason for the rejection. */
            rejectOption?: string;
            /** @description Submission that the task created. */
            submissionId?: string;
            /** @description API key or user that created the task. */
            createdBy: string;
            /** @description Name of the API key or user when it created the task. Absent on older tasks. */
            createdByName?: string;
            /** @description API key or user that resolved the task. */
            decidedBy?: string;
            /** @description User who should decide. */
            assignee?: string;
            policy?: components["schemas"]["TaskPolicy"];
            /** @description Votes that count, oldest first. Only with a policy. */
            votes?: components["schemas"]["TaskVote"][];
            progress?: components["schemas"]["TaskProgress"];
            /**
             * Format: date-time
             * @description When a reminder is due. Absent after it.
             */
            remindAt?: string;
            escalation?: components["schemas"]["TaskEscalation"];
            claim?: components["schemas"]["TaskClaim"];
            /**
             * Format: date-time
             * @description When the task expires.
             */
            expiresAt: string;
            /**
             * @description What happens if nobody resolves the task in time. Any value except `expire` needs the scope `tasks:decide`.
             * @enum {string}
             */
            onExpiry: "expire" | "approve" | "reject";
            /**
             * @description Whether a decision or the expiry resolved the task.
             * @enum {string}
             */
            resolvedBy?: "human" | "expiry";
            /** @description Outcomes that need a comment. */
            requireComment?: ("approved" | "rejected")[];
            /** @description Reasons to choose from for a rejection. */
            rejectOptions?: string[];
            callback?: components["schemas"]["TaskCallback"];
            /** @description What runs after the approval. The reviewer sees it, and the receipt is bound to it. */
            action?: {
                /** @description Name of the tool or function to run. */
                tool: string;
                /** @description Arguments to run it with, at most 64 KiB. */
                args: {
                    [key: string]: unknown;
                };
            };
            /** @description `sha-256:` and the SHA-256 of the action as canonical JSON (RFC 8785) in base64url. */
            actionDigest?: string;
            /** @description The receipt of the approved task (EdDSA JWT). */
            receipt?: string;
            /**
             * Format: date-time
             * @description When the receipt was redeemed.
             */
            receiptRedeemedAt?: string;
            /** @description Data of the creator. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the task was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the task was resolved.
             */
            settledAt?: string;
            /**
             * Format: date-time
             * @description When the values of the task and its submission were erased.
             */
            erasedAt?: string;
        };
        /** @description State of the callback. */
        TaskCallback: {
            /** @description URL of the callback. */
            url: string;
            /**
             * @description `pending`: not sent yet. `sending`: being sent. `delivered`: the endpoint responded with 2xx. `failed`: it did not. `unknown`: the process ended before the response. Without `callbackRetries`, the callback is sent once.
             * @enum {string}
             */
            state: "pending" | "sending" | "delivered" | "failed" | "unknown";
            /** @description The last 20 attempts, oldest first. */
            attempts: components["schemas"]["CallbackAttempt"][];
            /**
             * @description Failed attempts are repeated. Absent otherwise.
             * @constant
             */
            retries?: true;
            /**
             * Format: date-time
             * @description When a failed attempt is repeated.
             */
            nextAttemptAt?: string;
        };
        /** @description Claim of the task. */
        TaskClaim: {
            /** @description User or API key that claimed the task. */
            by: string;
            /**
             * Format: date-time
             * @description When the claim ends.
             */
            until: string;
        };
        /** @description Escalation of the task. */
        TaskEscalation: {
            /** @description Group that may decide after the escalation. */
            to: string;
            /**
             * Format: date-time
             * @description When the task escalates or has escalated.
             */
            at: string;
            /** @description Whether the task has escalated. */
            isDone: boolean;
        };
        /** @description An entry in the activity of a task. */
        TaskHistoryEntry: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description Event.
             * @enum {string}
             */
            event: "created" | "claimed" | "released" | "voted" | "votes_reset" | "delegated" | "reminded" | "escalated" | "blocked" | "unblocked" | "decided" | "expired" | "cancelled" | "callback" | "redeemed";
            /** @description API key or user. Absent if the expiry or the service caused it. */
            by?: string;
            /** @description User to whom a vote was delegated, or group to which the task escalated. */
            to?: string;
            /**
             * @description Outcome of the decision, or the vote.
             * @enum {string}
             */
            outcome?: "approved" | "rejected" | "submitted";
            /**
             * @description Where a person decided or voted.
             * @enum {string}
             */
            channel?: "dashboard" | "mail" | "slack" | "api";
            /**
             * @description What proved who it was: a login, an API key, a login and the link in an email to this user, or a click of the connected Slack user.
             * @enum {string}
             */
            proof?: "session" | "api_key" | "mail_link" | "slack_user";
            /** @description Comment of the reviewer. */
            comment?: string;
            /** @description Reason of the cancellation. */
            reason?: string;
            /**
             * @description State of the callback.
             * @enum {string}
             */
            state?: "pending" | "sending" | "delivered" | "failed" | "unknown";
            /** @description Status code of the callback’s response. */
            status?: number;
            /** @description Why the callback got no response. */
            error?: string;
        };
        /** @description A task to create. */
        TaskIn: {
            /** @description Id of the form that the task is about. */
            templateId: string;
            /** @description Question in one line. */
            title?: string;
            /** @description Context for the reviewer, as Markdown. */
            description?: string;
            /**
             * @description Initial values by field name. Must contain every required field that the reviewer may not change.
             * @default {}
             */
            prefill?: {
                [key: string]: unknown;
            };
            /** @description Fields that the reviewer may change. Default: all in form mode, none in approval mode. */
            editableFields?: string[];
            /**
             * @description `approval`: approve or reject. `form`: fill in the form and submit it.
             * @default approval
             * @enum {string}
             */
            decisionMode?: "approval" | "form";
            /**
             * @description Priority of the task.
             * @default normal
             * @enum {string}
             */
            priority?: "low" | "normal" | "high" | "urgent";
            /**
             * Format: date-time
             * @description When the task expires, 60 seconds to one year from now. Alternative to `expiresInSeconds`.
             */
            expiresAt?: string;
            /** @description Seconds until the task expires. Default, if `expiresAt` is absent too: one week. */
            expiresInSeconds?: number;
            /**
             * @description What happens if nobody resolves the task in time. Any value except `expire` needs the scope `tasks:decide`.
             * @default expire
             * @enum {string}
             */
            onExpiry?: "expire" | "approve" | "reject";
            /** @description Public HTTPS URL that receives one callback when the task ends. */
            callbackUrl?: string;
            /** @description Secret that signs the callback, in the same way as webhooks; at least 16 characters. */
            callbackSecret?: string;
            /** @description Repeats a failed callback on the retry schedule of webhooks, so that it may arrive more than once. Default: one attempt. */
            callbackRetries?: boolean;
            /** @description Id or email of the user who should decide. */
            assignee?: string;
            policy?: components["schemas"]["TaskPolicy"];
            /** @description Seconds from creation until reviewers who have not voted get one reminder; less than the time to the expiry. */
            remindAfterSeconds?: number;
            /** @description Seconds from creation until the members of `escalateTo` may decide too; less than the time to the expiry. */
            escalateAfterSeconds?: number;
            /** @description Id of the group for `escalateAfterSeconds`. */
            escalateTo?: string;
            /** @description Outcomes that need a comment. */
            requireComment?: ("approved" | "rejected")[];
            /** @description Reasons to choose from for a rejection. */
            rejectOptions?: string[];
            /** @description A later request of the account with the same key gets the existing task, or 422 if it differs. */
            dedupeKey?: string;
            /** @description What runs after the approval. The reviewer sees it, and the receipt is bound to it. */
            action?: {
                /** @description Name of the tool or function to run. */
                tool: string;
                /** @description Arguments to run it with, at most 64 KiB. */
                args: {
                    [key: string]: unknown;
                };
            };
            /**
             * @description Data of the creator, returned unchanged; at most 16 KiB.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Who decides the task. Its creator never counts. */
        TaskPolicy: {
            /** @description How many people must approve, 1 to 10, or `all` reviewers. Default: 1. */
            approvals?: number | "all";
            /** @description Ids of the users who may vote. Default, if `groups` is empty too: everyone who may decide tasks. */
            users?: string[];
            /** @description Ids of the groups whose members may vote. */
            groups?: string[];
        };
        /** @description Votes that a pending task still needs. */
        TaskProgress: {
            /** @description Required approvals. */
            required: number;
            /** @description Approvals by people who may still vote. */
            approved: number;
            /** @description Approvals that are missing. */
            remaining: number;
            /** @description People who may vote, including those who have. */
            eligible: number;
            /** @description People who may vote and have not; at most 100. */
            waitingFor: components["schemas"]["TaskReviewer"][];
            /** @description Whether too few people are left to approve the task, because some left since its creation. */
            isBlocked: boolean;
        };
        /** @description A person who may vote. */
        TaskReviewer: {
            /** @description Id of the user. */
            id: string;
            /** @description Name of the user. */
            name: string;
        };
        /** @description Settings for tasks on this form, and defaults of new tasks. */
        TaskSettings: {
            /** @description Whether a submission created by a task emits `form.submission.new`. Default: false. */
            emitSubmissionEvents?: boolean;
            policy?: components["schemas"]["TaskPolicy"];
            /** @description Seconds from creation until reviewers who have not voted get one reminder; less than the time to the expiry. */
            remindAfterSeconds?: number;
            /** @description Seconds from creation until the members of `escalateTo` may decide too; less than the time to the expiry. */
            escalateAfterSeconds?: number;
            /** @description Id of the group for `escalateAfterSeconds`. */
            escalateTo?: string;
            /** @description Id of the Slack channel that gets new tasks, or `none`. Default: `slackChannel` of the account, `none` with `reviewers`. */
            slackChannel?: string | "none";
        };
        /** @description Settings for tasks on this form, and defaults of new tasks. */
        TaskSettingsInput: {
            /** @description Whether a submission created by a task emits `form.submission.new`. Default: false. */
            emitSubmissionEvents?: boolean;
            policy?: components["schemas"]["TaskPolicy"];
            /** @description Seconds from creation until reviewers who have not voted get one reminder; less than the time to the expiry. */
            remindAfterSeconds?: number;
            /** @description Seconds from creation until the members of `escalateTo` may decide too; less than the time to the expiry. */
            escalateAfterSeconds?: number;
            /** @description Id of the group for `escalateAfterSeconds`. */
            escalateTo?: string;
            /** @description Id of the Slack channel that gets new tasks, or `none`. Default: `slackChannel` of the account, `none` with `reviewers`. */
            slackChannel?: string | "none";
        };
        /** @description A vote that counts. */
        TaskVote: {
            /** @description User who voted. */
            by: string;
            /** @description Name of the user at the time of the vote. */
            byName?: string;
            /**
             * @description The vote.
             * @enum {string}
             */
            outcome: "approved" | "rejected" | "submitted";
            /**
             * Format: date-time
             * @description When the user voted.
             */
            at: string;
            /** @description Comment of the user. */
            comment?: string;
            /** @description API key of the user with which they voted. Absent for a vote in the dashboard. */
            via?: string;
        };
        /** @description What visitors see after submission. */
        ThankYou: {
            /** @description Heading after submission. */
            title?: string;
            /** @description Text after submission. */
            message?: string;
            /** @description URL to redirect to after submission. */
            redirectUrl?: string;
        };
        /** @description What visitors see after submission. */
        ThankYouTranslation: {
            /** @description Heading after submission. */
            title?: string;
            /** @description Text after submission. */
            message?: string;
        };
        /** @description Appearance of the form. */
        Theme: {
            /**
             * @description Color scheme of the form: always `light` or `dark`, that of the page around it, or that of the visitor’s system. Default: page.
             * @enum {string}
             */
            colorScheme?: "light" | "dark" | "page" | "system";
            /** @description Color of buttons and accents. */
            accent?: string;
            /** @description Background color of the form. */
            background?: string;
            /** @description Text color. */
            text?: string;
            /** @description Corner radius of the card and of the controls in pixels. */
            radius?: number;
            /** @description Font families, preferred one first; `inherit` is the font of the page. Fonts that the page loads can be used; the form loads none. */
            font?: string;
            /**
             * @description Spacing of the form. Default: comfortable.
             * @enum {string}
             */
            density?: "compact" | "comfortable" | "spacious";
            /** @description Maximum width of the form in pixels. */
            width?: number;
            /** @description URL of the logo shown above the title. */
            logo?: string;
            /** @description URL of the picture shown across the top of the form. */
            cover?: string;
        };
        /** @description Where the site's consent banner stores the consent. Without consent, popup events are not counted; the popup still opens. */
        TrackingConsent: {
            /** @description Cookie that stores the consent. */
            cookie?: string;
            /** @description Browser storage key that stores the consent. */
            storageKey?: string;
            /** @description Path of the window property that contains the consent. */
            windowPath?: string;
            /** @description Consent category to read if there are several. */
            category?: string;
            /** @description `true` reads `analytics_storage` from `dataLayer`; a string reads that key. */
            consentMode?: true | string;
        };
        /** @description The texts of a form in another language. */
        Translation: {
            /** @description Title that visitors see. Default: the name. */
            title?: string;
            /** @description Text below the title that visitors see, as Markdown with links. */
            intro?: string;
            /** @description Texts of the fields by their name. */
            fields?: {
                [key: string]: components["schemas"]["FieldTranslation"];
            };
            /** @description Label of the submit button. */
            submitLabel?: string;
            /** @description Label of the decline button. */
            declineText?: string;
            thankYou?: components["schemas"]["ThankYouTranslation"];
            /** @description Text of the closed form. */
            closedMessage?: string;
            /** @description Texts of the endings by their name. */
            endings?: {
                [key: string]: components["schemas"]["ThankYouTranslation"];
            };
        };
        /** @description The texts of a form in another language. */
        TranslationInput: {
            /** @description Title that visitors see. Default: the name. */
            title?: string;
            /** @description Text below the title that visitors see, as Markdown with links. */
            intro?: string;
            /** @description Texts of the fields by their name. */
            fields?: {
                [key: string]: components["schemas"]["FieldTranslation"];
            };
            /** @description Label of the submit button. */
            submitLabel?: string;
            /** @description Label of the decline button. */
            declineText?: string;
            thankYou?: components["schemas"]["ThankYouTranslation"];
            /** @description Text of the closed form. */
            closedMessage?: string;
            /** @description Texts of the endings by their name. */
            endings?: {
                [key: string]: components["schemas"]["ThankYouTranslation"];
            };
        };
        /** @description A webhook of a form. */
        Webhook: {
            /** @description Id of the webhook. */
            id: string;
            /** @description Public HTTPS URL of the webhook endpoint. */
            url: string;
            /** @description Whether the webhook is enabled. */
            isEnabled: boolean;
            /** @description Note for the team. */
            description?: string;
            /** @description Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit. */
            rateLimitPerSecond: number | null;
            filter?: components["schemas"]["WebhookFilter"];
            /** @description Events that the filter excluded since it was last changed. Absent without a filter. */
            filteredCount?: number;
            /** @description When the filter last excluded an event; null if it never did. Absent without a filter. */
            lastFilteredAt?: string | null;
            payload?: components["schemas"]["WebhookPayload"];
            /** @description Last four characters of the secret, to tell secrets apart. */
            secretLast4: string;
            /** @description Custom headers. Only requests to the endpoint contain their values. */
            headers: components["schemas"]["WebhookHeader"][];
            /** @description Whether each request also has a signature (`v1a`, Ed25519) that everybody can verify with the public key. */
            isPublicKeySigned: boolean;
            /** @description Id of the public key in `/.well-known/webhooks-keys.json`. Absent without a key pair. */
            publicKeyId?: string;
            /** @description Public key: `whpk_` and its 32 bytes in base64. Absent without a key pair. */
            publicKey?: string;
            /** @description Why the webhook is disabled: by a user (`manual`), after too many failures (`failures`), or because the endpoint returned 410 Gone (`gone`). null if it is enabled. */
            disabledReason: ("manual" | "failures" | "gone") | null;
            /** @description When the webhook was disabled. */
            disabledAt: string | null;
            /** @description Time of the first failure since the last success. */
            failingSince: string | null;
            /** @description Failed attempts since the last success. */
            consecutiveFailures: number;
            /** @description When the last attempt was made. */
            lastAttemptAt: string | null;
            /** @description Status code of the last response; null without a response. */
            lastStatus: number | null;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updatedAt: string;
            /** @description Form whose events are sent. */
            formId: string;
            /** @description Event types to send. */
            events: ("form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
        };
        /** @description A new webhook. */
        WebhookCreated: {
            /** @description Id of the webhook. */
            id: string;
            /** @description Public HTTPS URL of the webhook endpoint. */
            url: string;
            /** @description Whether the webhook is enabled. */
            isEnabled: boolean;
            /** @description Note for the team. */
            description?: string;
            /** @description Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit. */
            rateLimitPerSecond: number | null;
            filter?: components["schemas"]["WebhookFilter"];
            /** @description Events that the filter excluded since it was last changed. Absent without a filter. */
            filteredCount?: number;
            /** @description When the filter last excluded an event; null if it never did. Absent without a filter. */
            lastFilteredAt?: string | null;
            payload?: components["schemas"]["WebhookPayload"];
            /** @description Last four characters of the secret, to tell secrets apart. */
            secretLast4: string;
            /** @description Custom headers. Only requests to the endpoint contain their values. */
            headers: components["schemas"]["WebhookHeader"][];
            /** @description Whether each request also has a signature (`v1a`, Ed25519) that everybody can verify with the public key. */
            isPublicKeySigned: boolean;
            /** @description Id of the public key in `/.well-known/webhooks-keys.json`. Absent without a key pair. */
            publicKeyId?: string;
            /** @description Public key: `whpk_` and its 32 bytes in base64. Absent without a key pair. */
            publicKey?: string;
            /** @description Why the webhook is disabled: by a user (`manual`), after too many failures (`failures`), or because the endpoint returned 410 Gone (`gone`). null if it is enabled. */
            disabledReason: ("manual" | "failures" | "gone") | null;
            /** @description When the webhook was disabled. */
            disabledAt: string | null;
            /** @description Time of the first failure since the last success. */
            failingSince: string | null;
            /** @description Failed attempts since the last success. */
            consecutiveFailures: number;
            /** @description When the last attempt was made. */
            lastAttemptAt: string | null;
            /** @description Status code of the last response; null without a response. */
            lastStatus: number | null;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updatedAt: string;
            /** @description Form whose events are sent. */
            formId: string;
            /** @description Event types to send. */
            events: ("form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /** @description Signing secret, shown only once; null in a replayed idempotent response. */
            secret: string | null;
        };
        /** @description Which of the subscribed events are sent: those whose body matches. Absent: all. Groups nest up to three deep. */
        WebhookFilter: {
            /** @description All of these must match. */
            all: (components["schemas"]["WebhookFilterCondition"] | components["schemas"]["WebhookFilterGroup"])[];
        } | {
            /** @description At least one of these must match. */
            any: (components["schemas"]["WebhookFilterCondition"] | components["schemas"]["WebhookFilterGroup"])[];
        };
        /** @description One condition on the body of an event. */
        WebhookFilterCondition: {
            /** @description JSON pointer (RFC 6901) into the body of the event. The value of a field is at `/data/` and its name; `/` in a key is `~1` and `~` is `~0`. */
            path: string;
            /**
             * @description Equal, or not equal. Types are strict: 5 is not "5".
             * @enum {string}
             */
            op: "eq" | "ne";
            /** @description Text, a number, true, false or null. */
            value: string | number | boolean | null;
        } | {
            /** @description JSON pointer (RFC 6901) into the body of the event. The value of a field is at `/data/` and its name; `/` in a key is `~1` and `~` is `~0`. */
            path: string;
            /**
             * @description Equal to one value of the list.
             * @constant
             */
            op: "in";
            /** @description Values to compare with. */
            value: (string | number | boolean | null)[];
        } | {
            /** @description JSON pointer (RFC 6901) into the body of the event. The value of a field is at `/data/` and its name; `/` in a key is `~1` and `~` is `~0`. */
            path: string;
            /**
             * @description Whether the path leads to a value; null is one.
             * @constant
             */
            op: "exists";
            /** @description false: the path leads nowhere. */
            value: boolean;
        } | {
            /** @description JSON pointer (RFC 6901) into the body of the event. The value of a field is at `/data/` and its name; `/` in a key is `~1` and `~` is `~0`. */
            path: string;
            /**
             * @description Greater than, greater or equal, less than, less or equal; also later and earlier.
             * @enum {string}
             */
            op: "gt" | "gte" | "lt" | "lte";
            /** @description A number; or a date (`2026-03-14`), a time with its offset (`2026-03-14T09:26:53Z`), or a time of day (`09:30`). */
            value: number | string;
        } | {
            /** @description JSON pointer (RFC 6901) into the body of the event. The value of a field is at `/data/` and its name; `/` in a key is `~1` and `~` is `~0`. */
            path: string;
            /**
             * @description The text contains this text, or the list this value.
             * @constant
             */
            op: "contains";
            /** @description Part of a text, or an element of a list. */
            value: string | number | boolean | null;
        };
        /** @description A group of conditions, and of groups of them. */
        WebhookFilterGroup: {
            /** @description All of these must match. */
            all: (components["schemas"]["WebhookFilterCondition"] | components["schemas"]["WebhookFilterInnerGroup"])[];
        } | {
            /** @description At least one of these must match. */
            any: (components["schemas"]["WebhookFilterCondition"] | components["schemas"]["WebhookFilterInnerGroup"])[];
        };
        /** @description A group of conditions, and of groups of them. */
        WebhookFilterGroupInput: {
            /** @description All of these must match. */
            all: (components["schemas"]["WebhookFilterCondition"] | components["schemas"]["WebhookFilterInnerGroupInput"])[];
        } | {
            /** @description At least one of these must match. */
            any: (components["schemas"]["WebhookFilterCondition"] | components["schemas"]["WebhookFilterInnerGroupInput"])[];
        };
        /** @description A group of conditions. */
        WebhookFilterInnerGroup: {
            /** @description All of these must match. */
            all: components["schemas"]["WebhookFilterCondition"][];
        } | {
            /** @description At least one of these must match. */
            any: components["schemas"]["WebhookFilterCondition"][];
        };
        /** @description A group of conditions. */
        WebhookFilterInnerGroupInput: {
            /** @description All of these must match. */
            all: components["schemas"]["WebhookFilterCondition"][];
        } | {
            /** @description At least one of these must match. */
            any: components["schemas"]["WebhookFilterCondition"][];
        };
        /** @description Which of the subscribed events are sent: those whose body matches. Absent: all. Groups nest up to three deep. */
        WebhookFilterInput: {
            /** @description All of these must match. */
            all: (components["schemas"]["WebhookFilterCondition"] | components["schemas"]["WebhookFilterGroupInput"])[];
        } | {
            /** @description At least one of these must match. */
            any: (components["schemas"]["WebhookFilterCondition"] | components["schemas"]["WebhookFilterGroupInput"])[];
        };
        /** @description A custom header of a webhook, without its value. */
        WebhookHeader: {
            /** @description Name of the header. */
            name: string;
            /** @description Last four characters of the value, to tell values apart; null if it has fewer than 12. */
            last4: string | null;
        };
        /** @description Attempts, success rate and latency of a webhook by hour. */
        WebhookHealth: {
            /**
             * Format: date-time
             * @description When the first hour begins.
             */
            from: string;
            /**
             * Format: date-time
             * @description Time of the response. The last hour is not over yet.
             */
            to: string;
            totals: components["schemas"]["WebhookHealthTotals"];
            /** @description Every hour of the period, oldest first, including hours without attempts. */
            hours: components["schemas"]["WebhookHealthHour"][];
        };
        /** @description The attempts of a webhook in one hour. */
        WebhookHealthHour: {
            /**
             * Format: date-time
             * @description When the hour begins, in UTC. An attempt belongs to the hour in which it started.
             */
            hour: string;
            /** @description Attempts that ended, without test events. */
            attempts: number;
            /** @description Attempts with a 2xx response. */
            succeeded: number;
            /** @description All other attempts. */
            failed: number;
            /** @description `succeeded` divided by `attempts`, from 0 to 1; null without attempts. */
            successRate: number | null;
            /** @description Latency in milliseconds that half of the attempts that reached the endpoint did not exceed, within 5 %, or 1 ms below 20 ms; null without such attempts. */
            p50Ms: number | null;
            /** @description Latency in milliseconds that 95 % of the attempts that reached the endpoint did not exceed, within 5 %, or 1 ms below 20 ms; null without such attempts. */
            p95Ms: number | null;
        };
        /** @description All attempts of a webhook in the period. */
        WebhookHealthTotals: {
            /** @description Attempts that ended, without test events. */
            attempts: number;
            /** @description Attempts with a 2xx response. */
            succeeded: number;
            /** @description All other attempts. */
            failed: number;
            /** @description `succeeded` divided by `attempts`, from 0 to 1; null without attempts. */
            successRate: number | null;
            /** @description Latency in milliseconds that half of the attempts that reached the endpoint did not exceed, within 5 %, or 1 ms below 20 ms; null without such attempts. */
            p50Ms: number | null;
            /** @description Latency in milliseconds that 95 % of the attempts that reached the endpoint did not exceed, within 5 %, or 1 ms below 20 ms; null without such attempts. */
            p95Ms: number | null;
        };
        /** @description A webhook to create. */
        WebhookIn: {
            /** @description Public HTTPS URL of the webhook endpoint. */
            url: string;
            /** @description Event types to send. */
            events: ("form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /** @description Signing secret, at least 16 characters. Absent, null or empty: one is generated. */
            secret?: "" | string | null;
            /**
             * @description Whether the webhook is enabled.
             * @default true
             */
            isEnabled?: boolean;
            /** @description Note for the team. */
            description?: string;
            /** @description Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit. */
            rateLimitPerSecond?: number | null;
            /** @description Headers to send with each request besides those of SvcForms, at most 20. No response contains the values. */
            headers?: {
                [key: string]: string;
            };
            /** @description Whether each request also has a signature (`v1a`, Ed25519) that everybody can verify with the public key. */
            isPublicKeySigned?: boolean;
            filter?: components["schemas"]["WebhookFilterInput"] | null;
            /** @description What the webhook sends as body. null or the format `envelope`: the default body. */
            payload?: components["schemas"]["WebhookPayloadIn"] | null;
        };
        /** @description Changes to a webhook. */
        WebhookPatch: {
            /** @description Public HTTPS URL of the webhook endpoint. */
            url?: string;
            /** @description Event types to send. */
            events?: ("form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected")[];
            /** @description `false` disables the webhook; `true` enables it and resets its failures. */
            isEnabled?: boolean;
            /** @description Note for the team; null removes it. */
            description?: string | null;
            /** @description Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit. */
            rateLimitPerSecond?: number | null;
            /** @description Headers to set; null as a value removes a header, and others stay. null for the whole property removes all. */
            headers?: {
                [key: string]: string | null;
            } | null;
            /** @description Whether each request also has a signature (`v1a`, Ed25519). `true` creates a key pair if there is none; `false` deletes it. */
            isPublicKeySigned?: boolean;
            /** @description Which of the events are sent; replaces the filter and its count. null removes it. */
            filter?: components["schemas"]["WebhookFilterInput"] | null;
            /** @description What the webhook sends as body. null or the format `envelope`: the default body. */
            payload?: components["schemas"]["WebhookPayloadIn"] | null;
        };
        /** @description What the webhook sends as body. Absent: the envelope. */
        WebhookPayload: {
            /**
             * @description Format of the body. `envelope`: the default. `data`: only the `data` of the envelope. `template`: rendered from `template`. `slack`, `discord`, `teams` and `google-chat`: a message for an incoming webhook of that product.
             * @enum {string}
             */
            format: "envelope" | "data" | "template" | "slack" | "discord" | "teams" | "google-chat";
            /** @description Liquid template of a JSON body. Required with the format `template`, refused with others. */
            template?: string;
        };
        /** @description What a webhook sends as body. */
        WebhookPayloadIn: {
            /**
             * @description Format of the body. `envelope`: the default. `data`: only the `data` of the envelope. `template`: rendered from `template`. `slack`, `discord`, `teams` and `google-chat`: a message for an incoming webhook of that product.
             * @enum {string}
             */
            format: "envelope" | "data" | "template" | "slack" | "discord" | "teams" | "google-chat";
            /** @description Liquid template of a JSON body. Required with the format `template`, refused with others. */
            template?: string;
        };
        /** @description Result of a test event. */
        WebhookTest: {
            /** @description Delivery that has the request and the response of the test. */
            deliveryId: string;
            /** @description Whether the endpoint responded with 2xx. */
            delivered: boolean;
            /** @description Status code of the response; null without a response. */
            status: number | null;
            /** @description Duration in milliseconds. */
            durationMs: number;
            /** @description Reason of the failure. */
            error?: string;
            /** @description Whether the filter of the webhook would let this event pass; tests are sent in any case. Absent without a filter. */
            passesFilter?: boolean;
            /** @description With the error `template`: what is wrong, and where. */
            message?: string;
        };
        /** @description A test event to send. */
        WebhookTestIn: {
            /**
             * @description Type of the test event. Default: the first type that the webhook subscribes to.
             * @enum {string}
             */
            eventType?: "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
        };
    };
    responses: never;
    parameters: {
        /** @description Id of the session. */
        sessionId: string;
        /** @description Id of the user. */
        userId: string;
        /** @description Id of the invitation. */
        invitationId: string;
        /** @description Id of the key. */
        keyId: string;
        /** @description The consent. */
        consentId: string;
        /** @description Id of the agent. */
        agentId: string;
        /** @description The group. */
        groupId: string;
        /** @description Id of the form. */
        formId: string;
        /** @description The version. */
        version: string;
        /** @description Id of the address. */
        addressId: string;
        /** @description Id of the submission. */
        submissionId: string;
        /** @description Id of the inbound endpoint. */
        inboundId: string;
        /** @description Id of the webhook. */
        webhookId: string;
        /** @description Id of the delivery. */
        deliveryId: string;
        /** @description Id of the task. */
        taskId: string;
        /** @description The event type. */
        eventType: string;
        /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
        "Idempotency-Key": string;
        /** @description Makes the request conditional on what is saved, by the `ETag` of an earlier response. */
        "If-Match": string;
        /** @description Id of the last event read; the stream resumes after it. */
        "Last-Event-ID": string;
        /** @description Number of webhook deliveries in a row that led to this request. Deliveries send it; systems that forward one must copy it. A submission with 5 or more is refused. */
        "Svc-Hops": string;
        /** @description Hex HMAC-SHA256 of the exact request body with the endpoint’s secret; required if the endpoint has one. With `requireTimestamp` it covers `X-SvcForms-Timestamp`, a dot and the body. The prefix `sha256=` is optional. */
        "X-SvcForms-Signature-256": string;
        /** @description Unix time in seconds, at most 300 seconds from now in either direction; required with `requireTimestamp`, otherwise ignored. */
        "X-SvcForms-Timestamp": string;
        /** @description Id of the event. The same on every attempt, resend and recovery. */
        "Webhook.Svc-Event-Id": string;
        /** @description Id of the delivery: one event to one webhook. */
        "Webhook.Svc-Delivery-Id": string;
        /** @description Version of the payload of the event. */
        "Webhook.Svc-Payload-Version": string;
        /** @description Id of the task on `decision.*` and `hitl.task.*` events. */
        "Webhook.Svc-Task-Id": string;
        /** @description Number of deliveries in a row that led to this one. Copy it if you forward the request. */
        "Webhook.Svc-Hops": string;
        /** @description `true` on test events, otherwise absent. */
        "Webhook.Svc-Test": "true";
        /** @description HMAC-SHA256 of the timestamp, a dot and the body with the secret of the webhook. */
        "Webhook.Svc-Signature": string;
        /** @description The event id, for the signature of Standard Webhooks. */
        "Webhook.webhook-id": string;
        /** @description When the request was signed: Unix time in seconds. */
        "Webhook.webhook-timestamp": string;
        /** @description The signatures of Standard Webhooks, separated by spaces: `v1` with the secret, and `v1a` with the private key of the webhook, if it has one. */
        "Webhook.webhook-signature": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
                /** @description Id of the user or key. */
                actor?: string;
                /** @description Action. */
                action?: "account.created" | "account.updated" | "account.slack_tested" | "account.plan_changed" | "account.exported" | "account.imported" | "login.succeeded" | "login.failed" | "session.ended" | "session.reauthenticated" | "key.created" | "key.deleted" | "agent.connected" | "agent.disconnected" | "user.created" | "user.updated" | "user.role_changed" | "user.deleted" | "user.password_reset_requested" | "user.password_reset" | "user.slack_connected" | "user.slack_disconnected" | "totp.enabled" | "totp.disabled" | "totp.recovery_codes_replaced" | "account.login_policy_changed" | "invitation.created" | "invitation.resent" | "invitation.revoked" | "invitation.accepted" | "group.created" | "group.updated" | "group.deleted" | "form.created" | "form.updated" | "form.draft_saved" | "form.draft_discarded" | "form.published" | "form.version_restored" | "form.deleted" | "submission.released" | "submission.deleted" | "inbound.created" | "inbound.updated" | "inbound.deleted" | "inbound.token_rotated" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.tested" | "webhook.recovered" | "delivery.retried" | "notification_address.verification_sent" | "erasure.created" | "task.created" | "task.claimed" | "task.released" | "task.voted" | "task.delegated" | "task.decided" | "task.cancelled" | "task.deleted" | "task.callback_redelivered" | "receipt.redeemed";
                /** @description Id of the resource. */
                target?: string;
                /** @description `resource` adds the target as it is now. */
                include?: "resource";
                /** @description Start of the period (inclusive). */
                since?: string;
                /** @description End of the period (exclusive). */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createErasure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasureIn"];
            };
        };
        responses: never;
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listForms: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
                /** @description Text that the name must contain. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createForm: {
        parameters: {
            query?: {
                /** @description Whether the request is about the draft. Default: false, the published form. */
                draft?: "true" | "false";
            };
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FormIn"];
            };
        };
        responses: never;
    };
    importForm: {
        parameters: {
            query?: {
                /** @description Whether the request is about the draft. Default: false, the published form. */
                draft?: "true" | "false";
            };
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FormTemplateIn"];
            };
        };
        responses: never;
    };
    getForm: {
        parameters: {
            query?: {
                /** @description Whether the request is about the draft. Default: false, the published form. */
                draft?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    replaceForm: {
        parameters: {
            query?: {
                /** @description Whether the request is about the draft. Default: false, the published form. */
                draft?: "true" | "false";
            };
            header?: {
                /** @description Makes the request conditional on what is saved, by the `ETag` of an earlier response. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FormIn"];
            };
        };
        responses: never;
    };
    deleteForm: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request conditional on what is saved, by the `ETag` of an earlier response. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    discardDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request conditional on what is saved, by the `ETag` of an earlier response. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    duplicateForm: {
        parameters: {
            query?: {
                /** @description Whether the request is about the draft. Default: false, the published form. */
                draft?: "true" | "false";
            };
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DuplicateIn"];
            };
        };
        responses: never;
    };
    exportForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getInboundEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createInboundEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InboundIn"];
            };
        };
        responses: never;
    };
    deleteInboundEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    changeInboundEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboundPatch"];
            };
        };
        responses: never;
    };
    listInboundEndpoints: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    addInboundEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InboundIn"];
            };
        };
        responses: never;
    };
    getInboundEndpointById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the inbound endpoint. */
                inboundId: components["parameters"]["inboundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteInboundEndpointById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the inbound endpoint. */
                inboundId: components["parameters"]["inboundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    changeInboundEndpointById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the inbound endpoint. */
                inboundId: components["parameters"]["inboundId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboundPatch"];
            };
        };
        responses: never;
    };
    listInboundRequestsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the inbound endpoint. */
                inboundId: components["parameters"]["inboundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    rotateInboundTokenById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the inbound endpoint. */
                inboundId: components["parameters"]["inboundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listInboundRequests: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    rotateInboundToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    publishForm: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description Makes the request conditional on what is saved, by the `ETag` of an earlier response. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getStats: {
        parameters: {
            query?: {
                /** @description First day (UTC). Default: 29 days before the last day. */
                from?: string;
                /** @description Last day (UTC). Default: today. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSubmissionToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listSubmissions: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
                /** @description Field name, colon, text: the value of that field must contain the text; not case-sensitive. Choices, numbers, dates, times and checkboxes must equal it. Up to 5, all of which must match. Searches like `q`. */
                where?: string | string[];
                /** @description Text that a value must contain; not case-sensitive. One request searches a part of the submissions; continue with `nextCursor`. */
                q?: string;
                /** @description Arrived at or after this time. A release from quarantine doesn’t change the time of arrival. */
                since?: string;
                /** @description Arrived before this time. */
                until?: string;
                /** @description Source of the submission: a visitor (`web`), another system (`inbound`), or a resolved task (`task`). */
                via?: "web" | "inbound" | "task";
                /** @description Accepted submissions, or those in quarantine. */
                status?: "accepted" | "quarantined";
                /** @description Order by time of arrival; `-` is newest first. */
                sort?: "-createdAt" | "createdAt";
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    submitForm: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description Number of webhook deliveries in a row that led to this request. Deliveries send it; systems that forward one must copy it. A submission with 5 or more is refused. */
                "Svc-Hops"?: components["parameters"]["Svc-Hops"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmissionIn"];
            };
        };
        responses: never;
    };
    exportSubmissions: {
        parameters: {
            query?: {
                /** @description Format of the export, with one submission per line. */
                format?: "csv" | "ndjson";
                /** @description Only these submissions: 1 to 200 ids, comma-separated. */
                ids?: string;
                /** @description Field name, colon, text: the value of that field must contain the text; not case-sensitive. Choices, numbers, dates, times and checkboxes must equal it. Up to 5, all of which must match. Searches like `q`. */
                where?: string | string[];
                /** @description Text that a value must contain; not case-sensitive. One request searches a part of the submissions; continue with `nextCursor`. */
                q?: string;
                /** @description Arrived at or after this time. A release from quarantine doesn’t change the time of arrival. */
                since?: string;
                /** @description Arrived before this time. */
                until?: string;
                /** @description Source of the submission: a visitor (`web`), another system (`inbound`), or a resolved task (`task`). */
                via?: "web" | "inbound" | "task";
                /** @description Accepted submissions, or those in quarantine. */
                status?: "accepted" | "quarantined";
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSummary: {
        parameters: {
            query?: {
                /** @description First day (UTC). Default: 29 days before the last day. */
                from?: string;
                /** @description Last day (UTC). Default: today. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listFormVersions: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getFormVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description The version. */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    restoreFormVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description Makes the request conditional on what is saved, by the `ETag` of an earlier response. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description The version. */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookIn"];
            };
        };
        responses: never;
    };
    getDeliveryOfForm: {
        parameters: {
            query?: {
                /** @description What the response has in addition. */
                include?: "request";
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the delivery. */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    redeliverDeliveryOfForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the delivery. */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    previewWebhookFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FilterPreviewIn"];
            };
        };
        responses: never;
    };
    previewPayload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayloadPreviewIn"];
            };
        };
        responses: never;
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: never;
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
                /** @description `pending`: the next attempt is scheduled. `delivering`: an attempt is being made. `delivered`: the endpoint responded with 2xx. `failed`: all attempts failed. `held`: the webhook was disabled because of failures. */
                status?: "pending" | "delivering" | "delivered" | "failed" | "held";
                /** @description Type of the event. */
                eventType?: "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
                /** @description Whether the list has test events, too; they have `isTest`. */
                tests?: "exclude" | "include";
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getDelivery: {
        parameters: {
            query?: {
                /** @description What the response has in addition. */
                include?: "request";
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
                /** @description Id of the delivery. */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    redeliverDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
                /** @description Id of the delivery. */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getWebhookHealth: {
        parameters: {
            query?: {
                /** @description Length of the period: this many times 24 hours, up to now. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    recoverDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverIn"];
            };
        };
        responses: never;
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecretIn"];
            };
        };
        responses: never;
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookTestIn"];
            };
        };
        responses: never;
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupIn"];
            };
        };
        responses: never;
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group. */
                groupId: components["parameters"]["groupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group. */
                groupId: components["parameters"]["groupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    changeGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group. */
                groupId: components["parameters"]["groupId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupPatch"];
            };
        };
        responses: never;
    };
    sendInbound: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description Number of webhook deliveries in a row that led to this request. Deliveries send it; systems that forward one must copy it. A submission with 5 or more is refused. */
                "Svc-Hops"?: components["parameters"]["Svc-Hops"];
                /** @description Hex HMAC-SHA256 of the exact request body with the endpoint’s secret; required if the endpoint has one. With `requireTimestamp` it covers `X-SvcForms-Timestamp`, a dot and the body. The prefix `sha256=` is optional. */
                "X-SvcForms-Signature-256"?: components["parameters"]["X-SvcForms-Signature-256"];
                /** @description Unix time in seconds, at most 300 seconds from now in either direction; required with `requireTimestamp`, otherwise ignored. */
                "X-SvcForms-Timestamp"?: components["parameters"]["X-SvcForms-Timestamp"];
            };
            path: {
                /** @description Id of the form. */
                formId: components["parameters"]["formId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: never;
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyIn"];
            };
        };
        responses: never;
    };
    deleteKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                keyId: components["parameters"]["keyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description `id` of the last event read; the header `Last-Event-ID` takes precedence. */
                lastEventId?: string;
                /** @description `webhook`: `data` has the ids of the event and `body`, the exact text of the body that webhooks get. */
                format?: "webhook";
            };
            header?: {
                /** @description Id of the last event read; the stream resumes after it. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                /** @description The event type. */
                eventType: components["parameters"]["eventType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    redeemReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeemIn"];
            };
        };
        responses: never;
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
                /** @description Status of the tasks. */
                status?: "awaiting" | "approved" | "rejected" | "submitted" | "expired" | "cancelled";
                /** @description Priority of the task. */
                priority?: "low" | "normal" | "high" | "urgent";
                /** @description Id of the form that the task is about. */
                templateId?: string;
                /** @description Id of a user. */
                assignee?: string;
                /** @description Text that the title or the description must contain. */
                q?: string;
                /** @description Order: newest first, most urgent first, or soonest to expire first. */
                sort?: "createdAt" | "priority" | "expiresAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskIn"];
            };
        };
        responses: never;
    };
    getTask: {
        parameters: {
            query?: {
                /** @description Maximum seconds to wait until the task is resolved. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    redeliverCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    cancelTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelIn"];
            };
        };
        responses: never;
    };
    claimTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    decideTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionIn"];
            };
        };
        responses: never;
    };
    delegateTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DelegateIn"];
            };
        };
        responses: never;
    };
    getTaskHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    releaseTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listNotificationAddresses: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    verifyNotificationAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the address. */
                addressId: components["parameters"]["addressId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getStatsOfForms: {
        parameters: {
            query: {
                /** @description Ids of 1 to 100 forms, comma-separated. */
                formIds: string;
                /** @description First day (UTC). Default: 29 days before the last day. */
                from?: string;
                /** @description Last day (UTC). Default: today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the submission. */
                submissionId: components["parameters"]["submissionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the submission. */
                submissionId: components["parameters"]["submissionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listDeliveriesOfSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the submission. */
                submissionId: components["parameters"]["submissionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    releaseSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the submission. */
                submissionId: components["parameters"]["submissionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listAccountWebhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createAccountWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountWebhookIn"];
            };
        };
        responses: never;
    };
    previewAccountWebhookFilter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AccountFilterPreviewIn"];
            };
        };
        responses: never;
    };
    previewAccountPayload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPayloadPreviewIn"];
            };
        };
        responses: never;
    };
    getAccountWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteAccountWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    changeAccountWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountWebhookPatch"];
            };
        };
        responses: never;
    };
    listAccountDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of entries on a page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. Default: the first page. */
                cursor?: string;
                /** @description `pending`: the next attempt is scheduled. `delivering`: an attempt is being made. `delivered`: the endpoint responded with 2xx. `failed`: all attempts failed. `held`: the webhook was disabled because of failures. */
                status?: "pending" | "delivering" | "delivered" | "failed" | "held";
                /** @description Type of the event. */
                eventType?: "hitl.task.created" | "hitl.task.completed" | "hitl.task.expired" | "hitl.task.cancelled" | "form.submission.new" | "submission.created" | "decision.requested" | "decision.approved" | "decision.rejected";
                /** @description Whether the list has test events, too; they have `isTest`. */
                tests?: "exclude" | "include";
            };
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAccountDelivery: {
        parameters: {
            query?: {
                /** @description What the response has in addition. */
                include?: "request";
            };
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
                /** @description Id of the delivery. */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    redeliverAccountDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
                /** @description Id of the delivery. */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAccountWebhookHealth: {
        parameters: {
            query?: {
                /** @description Length of the period: this many times 24 hours, up to now. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    recoverAccountDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverIn"];
            };
        };
        responses: never;
    };
    rotateAccountWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key and body gets the first response again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecretIn"];
            };
        };
        responses: never;
    };
    testAccountWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AccountWebhookTestIn"];
            };
        };
        responses: never;
    };
}
