import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { findPgBackRest, findPostgres } from '../testing/find-program.ts'
import { freePort } from '../testing/free-port.ts'
import { findUser } from '../testing/outside-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'pgb-'))
const place = (path: string) => join(folder, path)
const user = process.getuid?.() === 0 ? findUser('postgres') : undefined // neither runs as root
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
const runServer = (program: string, ...args: string[]) => run(join(dirname(findPostgres()), program), ...args)
const backup = (...args: string[]) =>
  run(findPgBackRest(), `--config=${place('pgbackrest.conf')}`, '--stanza=ovation', ...args)
const start = () => runServer('pg_ctl', '-D', place('data'), '-l', place('log'), '-w', 'start')
const stop = () => runServer('pg_ctl', '-D', place('data'), '-m', 'fast', '-w', 'stop')

afterAll(() => {
  if (existsSync(place('data/postmaster.pid'))) stop()
  rmSync(folder, { recursive: true, force: true })
})

it('brings back what was deleted, with deploy/pgbackrest.conf and the commands of docs/operations.md', async () => {
  const port = await freePort()
  chmodSync(folder, 0o755)
  for (const path of ['repository', 'spool', 'run']) mkdirSync(place(path))
  const shipped = readFileSync(new URL('../../deploy/pgbackrest.conf', import.meta.url), 'utf8')
  const local = shipped
    .replaceAll(/^repo1-s3-.*\n/gm, '') // the bucket is a folder here
    .replace('repo1-type=s3', `repo1-type=posix\nlock-path=${place('run')}`)
    .replace(/^repo1-path=.*/m, `repo1-path=${place('repository')}`)
    .replace(/^repo1-cipher-pass=/m, 'repo1-cipher-pass=of-a-test')
    .replace(/^spool-path=.*/m, `spool-path=${place('spool')}`)
    .replace(/^pg1-path=.*/m, `pg1-path=${place('data')}\npg1-port=${port}`)
    .replace(/^pg1-socket-path=.*/m, `pg1-socket-path=${place('run')}`)
  writeFileSync(place('pgbackrest.conf'), local)
  if (user) for (const path of ['', 'repository', 'spool', 'run']) chownSync(place(path), user.uid, user.gid)
  runServer('initdb', '-D', place('data'), '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8')
  const push = `${findPgBackRest()} --config=${place('pgbackrest.conf')} --stanza=ovation archive-push %p`
  appendFileSync(
    place('data/postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${place('run')}'\nwal_level = logical\narchive_mode = on\narchive_command = '${push}'\n`,
  )
  start()
  const query = async <Row extends pg.QueryResultRow>(text: string) => {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`)
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows[0]
    } finally {
      await client.end()
    }
  }
  backup('stanza-create')
  backup('check')
  backup('backup')
  await query('create table posts as select n from generate_series(1, 1000) n')
  await sleep(2_000) // the copy's end is known to the second, and the moment must come after it
  const before = await query<{ at: string }>('select clock_timestamp()::text as at')
  await query('drop table posts')
  await query('select pg_switch_wal()')
  backup('--type=incr', 'backup')
  stop()
  backup('--delta', '--type=time', `--target=${before?.at}`, '--target-action=promote', 'restore')
  start()
  await eventually(async () => expect(await query('select pg_is_in_recovery() as is')).toEqual({ is: false }))
  expect(await query('select count(*)::int as count from posts')).toEqual({ count: 1000 })
}, 120_000)
