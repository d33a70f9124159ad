import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** In a worker, because a film is a gigabyte; and piece by piece, which `crypto.subtle` can't do. Answers in the order of the files. */
addEventListener('message', async ({ data: file }: MessageEvent<File>) => {
  try {
    const hash = sha256.create()
    const reader = file.stream().getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) hash.update(piece.value)
    postMessage({ hash: bytesToHex(hash.digest()) })
  } catch {
    // Moved or changed since it was chosen.
    postMessage({})
  }
})
