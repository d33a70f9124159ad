import { createServer, type Server, type Socket } from 'node:net'

/** A mail server that takes one message at a time, except for mailboxes that it doesn't have. */
export class SmtpServer {
  /** The messages, with headers. */
  readonly received: string[] = []
  readonly #server: Server

  /** @param lacks whether it rejects this recipient for good. */
  constructor(lacks: (recipient: string) => boolean = () => false) {
    this.#server = createServer((socket: Socket) => {
      let data: string | undefined
      socket.write('220 test\r\n')
      socket.on('data', (chunk) => {
        if (data !== undefined) {
          data += chunk
          if (!data.endsWith('\r\n.\r\n')) return
          this.received.push(data)
          data = undefined
          return socket.write('250 taken\r\n')
        }
        for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
          const recipient = /^RCPT TO:<(.*?)>/.exec(line)?.[1]
          if (recipient !== undefined && lacks(recipient)) socket.write('550 no such mailbox\r\n')
          else if (line === 'DATA') {
            data = ''
            socket.write('354 go on\r\n')
          } else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n')
        }
      })
      socket.on('error', () => undefined)
    })
  }

  /** @returns its URL. */
  open(): Promise<string> {
    return new Promise((resolve) =>
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address()
        resolve(`smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
      }),
    )
  }

  close(): void {
    this.#server.close()
  }
}
