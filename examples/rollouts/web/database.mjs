/** One connection to PostgreSQL, kept by a psql beside us: no driver is needed. Where it is stands in PGHOST and its like. */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** What psql knows as the end of each statement: "00000" is none that went wrong. */
const STATE = /^[0-9A-Z]{5}$/;

export class Database {
  #psql;
  /** Those who wait for an answer, in the order in which they have asked. */
  #waiting = [];
  #rows = [];

  /** The name is seen in pg_stat_activity. Without its connection a server is of no use: `onEnd` is called once. */
  constructor(name, onEnd) {
    const env = { ...process.env, PGAPPNAME: name };
    const stdio = ['pipe', 'pipe', 'inherit'];
    this.#psql = spawn('psql', ['-X', '-q', '-A', '-t'], { env, stdio });
    this.#psql.on('close', onEnd).on('error', onEnd);
    this.#psql.stdin.on('error', () => {});
    createInterface({ input: this.#psql.stdout }).on('line', (line) => {
      if (!STATE.test(line)) this.#rows.push(line);
      else this.#waiting.shift()?.({ state: line, rows: this.#rows.splice(0) });
    });
  }

  /** One statement; resolves to its state and its rows. */
  ask(statement) {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#psql.stdin.write(`${statement};\n\\echo :SQLSTATE\n`);
    });
  }

  /** What was asked is answered yet. */
  close() {
    this.#psql.stdin.end();
  }
}

export const quote = (text) => `'${text.replaceAll("'", "''")}'`;
