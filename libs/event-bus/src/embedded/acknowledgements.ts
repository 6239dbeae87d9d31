import { numberIn, type LogTables } from './tables.ts';

/** The stored acknowledgements of the durables. */
export interface Acknowledgements {
  /** The sequence up to which a durable has acknowledged all. Creates its row if it is absent. */
  acknowledged: (durable: string) => Promise<number>;
  /** The sequence up to which every durable has acknowledged everything; 0 without any durable. */
  acknowledgedByAll: () => number;
  saveAcknowledged: (cursors: ReadonlyMap<string, number>) => Promise<void>;
}

export function createAcknowledgements({ database, one }: LogTables): Acknowledgements {
  return {
    acknowledged: (durable) =>
      database.write(() => {
        database.prepare('INSERT OR IGNORE INTO bus_durables VALUES (?, 0)').run(durable);
        return numberIn(one('SELECT acknowledged FROM bus_durables WHERE name = ?', durable), 'acknowledged');
      }),
    acknowledgedByAll: () => numberIn(one('SELECT min(acknowledged) AS floor FROM bus_durables'), 'floor'),
    async saveAcknowledged(cursors) {
      await database.write(() => {
        for (const [durable, seq] of cursors) {
          database.prepare('UPDATE bus_durables SET acknowledged = ? WHERE name = ?').run(seq, durable);
        }
      });
    },
  };
}
