export { startTelemetry } from './start-telemetry.ts';
export type { Telemetry } from './telemetry.ts';
