export { startTelemetry } from './start-telemetry.ts';
