import { EventSource } from 'eventsource';
import { formId, headers, say, url } from './steps.mjs';

const events = new EventSource(`${url}/events/hitl.task.*`, {
  fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
});
await new Promise((resolve) => events.addEventListener('open', resolve));
const response = await fetch(`${url}/tasks`, {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify({ templateId: formId, title: 'Refund?' }),
});
const { data: task } = await response.json();
const completed = new Promise((resolve) =>
  events.addEventListener('hitl.task.completed', ({ data }) => {
    const event = JSON.parse(data);
    if (event.data.taskId === task.id) resolve(event.data);
  }),
);
say({ taskId: task.id });
await completed;
const decided = await fetch(`${url}/tasks/${task.id}`, { headers });
say({ outcome: (await decided.json()).data.outcome });
events.close();
