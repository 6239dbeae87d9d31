import type { AuditAction, Scope } from '@svcforms/contracts';
import { z } from 'zod';
import type { Actor } from '../tasks/actor.ts';

/** The context of a tool call. */
export interface ToolCall {
  actor: Actor;
  signal: AbortSignal;
  /** Writes one entry to the audit log. Each tool that changes something calls it once. */
  audit: (action: AuditAction, target: { id: string; name?: string }) => Promise<void>;
  /** Sends a progress notification, in seconds, to a client that asked for them. */
  progress: (done: number, total: number) => Promise<void>;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The caller needs all of them. */
  scopes: readonly Scope[];
  /** This scope is enough to call the tool, which then checks what the caller may do. */
  orScope?: Scope;
  input: z.ZodType;
  output: z.ZodObject;
  /** The tool changes nothing. */
  readOnly: boolean;
  /** A second call with the same arguments changes nothing more. */
  idempotent: boolean;
  /** The tool removes or cancels something. */
  destructive?: boolean;
  run(args: unknown, call: ToolCall): Promise<Record<string, unknown>>;
}

interface TypedTool<I extends z.ZodType, O extends z.ZodObject> extends Omit<
  Tool,
  'input' | 'output' | 'run'
> {
  input: I;
  output: O;
  run(args: z.output<I>, call: ToolCall): Promise<z.output<O>>;
}

/** Defines a tool whose `run` is typed by its schemas. */
export const tool = <I extends z.ZodType, O extends z.ZodObject>(definition: TypedTool<I, O>): Tool =>
  definition as unknown as Tool;

/** The result of a call, and the same as text for clients that read no structured content. */
export const toolResult = (structuredContent: Record<string, unknown>) => ({
  structuredContent,
  content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
});

export const formId = z.string().meta({ description: 'Form id (frm_…); list_forms returns them.' });
export const taskId = z.string().meta({ description: 'Task id (tsk_…).' });
export const submissionId = z.string().meta({ description: 'Submission id (sub_…).' });
export const limit = z.int().min(1).max(100).default(25).meta({ description: 'Maximum number of entries.' });
export const cursor = z.string().meta({ description: '`nextCursor` of the previous page.' }).optional();
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: '`cursor` of the next page; null on the last page.' });
