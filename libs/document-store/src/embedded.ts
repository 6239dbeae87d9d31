export { openEmbeddedDatabase } from './embedded/database.ts';
export type { EmbeddedDatabase, Row, SqlValue, Statement } from './embedded/database.ts';
