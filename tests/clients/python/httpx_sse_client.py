import httpx
from httpx_sse import connect_sse
from steps import FORM_ID, HEADERS, URL, say

with httpx.Client(headers=HEADERS, trust_env=False) as client:
    with connect_sse(client, "GET", f"{URL}/events/hitl.task.*") as source:
        task = client.post(f"{URL}/tasks", json={"templateId": FORM_ID, "title": "Refund?"}).json()["data"]
        say(taskId=task["id"])
        for event in source.iter_sse():
            # Each event has data that is JSON.
            data = event.json()["data"]
            if event.event == "hitl.task.completed" and data["taskId"] == task["id"]:
                say(outcome=client.get(f"{URL}/tasks/{task['id']}").json()["data"]["outcome"])
                break
