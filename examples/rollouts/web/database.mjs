/** One connection to PostgreSQL through a psql process, so no driver is needed. PGHOST and similar variables configure it. */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** The SQLSTATE that psql prints after each statement; "00000": success. */
const STATE = /^[0-9A-Z]{5}$/;

export class Database {
  #psql;
  /** The callbacks of open statements, in the order of the statements. */
  #waiting = [];
  #rows = [];

  /** `name` is shown in pg_stat_activity. `onEnd` is called when the connection is lost, because no statement works then. */
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

  /** Runs one statement. Resolves with its SQLSTATE and its rows. */
  ask(statement) {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#psql.stdin.write(`${statement};\n\\echo :SQLSTATE\n`);
    });
  }

  /** Closes the connection after the open statements. */
  close() {
    this.#psql.stdin.end();
  }
}

export const quote = (text) => `'${text.replaceAll("'", "''")}'`;
