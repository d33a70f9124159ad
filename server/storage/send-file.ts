import type { FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { ByteRange } from './object-store.ts'

/** A file of 1 GB takes four thousand reads, and a slow receiver holds half a megabyte. */
const pieceBytes = 256 * 1024
const mostSpare = 32

const spare: Buffer[] = []
const takePiece = () => spare.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
const giveBack = (piece: Buffer) => spare.length < mostSpare && spare.push(piece)

/**
 * Writes a piece of a file to `target` at its pace, ends it, and closes the file. It reads the next bytes while the previous ones are
 * in transit, into reused memory: a read stream allocates memory for each piece, which costs more than half of its time.
 * A socket has passed the bytes to the kernel when it reports them written. A stream that only passes them on has not, and would
 * see them change.
 * @throws when the receiver goes away, or the file is shorter than `end`.
 */
export async function sendFile(file: FileHandle, { start, end }: ByteRange, target: ServerResponse): Promise<void> {
  const write = buildWriter(target)
  let position = start
  async function readNext() {
    const piece = takePiece()
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, end + 1 - position), position)
    if (bytesRead === 0) throw new Error('the file is shorter than its row says')
    position += bytesRead
    return { piece, bytesRead, isLast: position > end }
  }
  try {
    for (let next = position > end ? undefined : readNext(); next; ) {
      const { piece, bytesRead, isLast } = await next
      next = isLast ? undefined : readNext()
      next?.catch(() => undefined) // thrown where it is awaited; nobody is there when the receiver goes first
      await write(piece.subarray(0, bytesRead))
      giveBack(piece) // only now: the receiver reads from it until the write has finished
    }
    target.end()
  } finally {
    await file.close()
  }
}

/** Resolves when the bytes are written. A receiver that goes away may never report the bytes it was still to get. */
function buildWriter(target: ServerResponse): (bytes: Uint8Array) => Promise<void> {
  let abandon: (error: Error) => void = () => undefined
  target.once('close', () => abandon(new Error('the receiver is gone')))
  return (bytes) =>
    new Promise((resolve, reject) => {
      abandon = reject
      target.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
}
