import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitForPort } from './wait-for-port.ts'

const places = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx', '/usr/bin/nginx']

/** nginx as people set it up to serve files: sendfile, kept connections, no log. @throws Error saying what to install. */
export async function startNginx(folder: string, files: string, port: number): Promise<() => Promise<void>> {
  const program = process.env.NGINX_PATH ?? places.find((place) => existsSync(place))
  if (!program)
    throw new Error(
      'The benchmark compares with nginx: install it (Debian: apt install nginx-light), or set NGINX_PATH.',
    )
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  writeFileSync(
    config,
    `daemon off; worker_processes auto; pid ${folder}/nginx.pid; error_log ${folder}/logs/error.log;
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; ${temporary.join(' ')}
       server { listen 127.0.0.1:${port}; root ${files}; } }`,
  )
  const child = spawn(program, ['-p', folder, '-c', config], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  // It has ended when this resolves: until then it makes folders of its own again.
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  await waitForPort(port).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return stop
}
