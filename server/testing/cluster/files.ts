import { readFileSync } from 'node:fs'

export type MachineName = 'one' | 'two' | 'three'
export const machineNames: readonly MachineName[] = ['one', 'two', 'three']

/** The variables of deploy/cluster/cluster.env. */
export type ClusterValues = Readonly<Record<string, string>>

const read = (file: string) => readFileSync(new URL(`../../../deploy/cluster/${file}`, import.meta.url), 'utf8')

/** The lines `NAME=value` of a file of deploy/cluster. */
export const parseEnv = (text: string): ClusterValues =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

/** deploy/cluster/cluster.env as it is delivered. */
export const deliveredValues = (): ClusterValues => parseEnv(read('cluster.env'))

/**
 * A file of deploy/cluster as `envsubst` writes it on a machine.
 * @throws an Error that names a variable without a value.
 */
export function renderClusterFile(file: string, values: ClusterValues): string {
  return read(file).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`deploy/cluster/${file} needs ${name}, which cluster.env lacks`)
    return value
  })
}

/**
 * What a machine's cluster.env has if all three are this one: each has a loopback address of its own, so that ports stay as they are.
 * @param network the second part of those addresses (`127.<network>.0.11`), so that two clusters can run side by side.
 */
export function loopbackValues(name: MachineName, network: number): ClusterValues {
  const [ONE, TWO, THREE] = [11, 12, 13].map((last) => `127.${network}.0.${last}`) as [string, string, string]
  const addresses = { one: ONE, two: TWO, three: THREE }
  const secrets = Object.keys(deliveredValues()).filter((key) => /_(PASSWORD|KEY|KEY_ID)$/.test(key))
  return {
    ...deliveredValues(),
    ...Object.fromEntries(secrets.map((key) => [key, `${key.toLowerCase()}-of-a-test`])),
    NAME: name,
    ADDRESS: addresses[name],
    ONE,
    TWO,
    THREE,
    NETWORK: '127.0.0.0/8', // connections over loopback come from 127.0.0.1
  }
}

/** The same for a machine whose folders are all in `root`, whose own address replaces 127.0.0.1, and which has no systemd. */
export function renderForLoopback(file: string, values: ClusterValues, root: string): string {
  return renderClusterFile(file, values)
    .replaceAll(/127\.0\.0\.1(?=:| port|$)/gm, values.ADDRESS ?? '')
    .replaceAll(/\/(var\/(?:lib|run|log)|run|etc)\//g, `${root}/$1/`)
    .replaceAll(/^ {2}(user|group) haproxy\n/gm, '')
    .replaceAll(/^ {2}bind :/gm, `  bind ${values.ADDRESS}:`)
    .replaceAll('supervised systemd', 'supervised no')
    .replaceAll('maxconn 20000', 'maxconn 2000') // whose limit of open files isn't this machine's
}
