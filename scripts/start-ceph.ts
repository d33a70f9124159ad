import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findCeph } from '../server/testing/find-program.ts'
import { freePort } from '../server/testing/free-port.ts'

const call = promisify(execFile)
const startMs = 60_000

export type Ceph = {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly version: string
  stop(): Promise<void>
}

/**
 * A whole Ceph on loopback: one monitor, one object store in memory, and the gateway that speaks S3. It asks for no keys inside, because
 * nothing else reaches it.
 */
export async function startCeph(): Promise<Ceph> {
  const programs = dirname(findCeph())
  const folder = await mkdtemp(join(tmpdir(), 'ovation-ceph-'))
  const [monitor, gateway] = [await freePort(), await freePort()]
  const fsid = randomUUID()
  await Promise.all(['mon', 'osd'].map((name) => mkdir(join(folder, name))))
  await writeFile(join(folder, 'ceph.conf'), configuration(fsid, folder, monitor, gateway))
  const children: ChildProcess[] = []
  const configured = ['-c', join(folder, 'ceph.conf')]
  const run = (name: string, ...args: string[]) =>
    call(join(programs, name), [...configured, ...args], { timeout: startMs })
  const keep = (name: string, ...args: string[]) =>
    children.push(spawn(join(programs, name), [...configured, '-f', ...args], { stdio: 'ignore' }))
  async function stop() {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGKILL') // nothing is worth keeping
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const map = join(folder, 'monmap')
    await call(join(programs, 'monmaptool'), [
      '--create',
      '--fsid',
      fsid,
      '--addv',
      'a',
      `[v2:127.0.0.1:${monitor}]`,
      map,
    ])
    await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
    keep('ceph-mon', '-i', 'a')
    const osd = randomUUID()
    await run('ceph', '--connect-timeout', '30', 'osd', 'new', osd)
    await run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd)
    keep('ceph-osd', '-i', '0')
    const asGateway = ['-n', 'client.rgw']
    keep('radosgw', ...asGateway)
    const endpoint = `http://127.0.0.1:${gateway}`
    await answers(endpoint)
    const [accessKeyId, secretAccessKey] = [randomUUID(), randomUUID()]
    const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey]
    await run('radosgw-admin', ...asGateway, 'user', 'create', '--uid=proof', '--display-name=proof', ...keys)
    const { stdout } = await run('radosgw', '--version')
    return { endpoint, accessKeyId, secretAccessKey, version: stdout.trim(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const configuration = (fsid: string, folder: string, monitor: number, gateway: number) => `
[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitor}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr1 = false
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc secure
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
[mon]
mon data = ${folder}/mon
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
[client.rgw]
rgw data = ${folder}
rgw frontends = beast endpoint=127.0.0.1:${gateway}
`

async function answers(url: string): Promise<void> {
  for (const until = Date.now() + startMs; ; await sleep(200)) {
    const answer = await fetch(url).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    if (Date.now() > until) throw new Error("Ceph's gateway doesn't answer")
  }
}
