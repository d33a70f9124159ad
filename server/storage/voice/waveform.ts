/** How many parts a waveform has: as many bars as fit into a message on a phone. */
const parts = 80

/**
 * The loudness of equal parts of a sound, each a byte, in base64 (`metadata.waveform`). The loudest part is 255, so that a quiet
 * recording has a shape, too; noise below a hundredth of full scale stays flat.
 * @param samples of one channel, as signed 16-bit numbers.
 */
export function waveformOf(samples: Int16Array): string {
  const levels = Array.from({ length: parts }, (_, part) =>
    loudness(
      samples.subarray(
        Math.floor((part * samples.length) / parts),
        Math.max(Math.floor(((part + 1) * samples.length) / parts), Math.floor((part * samples.length) / parts) + 1),
      ),
    ),
  )
  const most = Math.max(...levels, 328)
  return Buffer.from(levels.map((level) => Math.round((level / most) * 255))).toString('base64')
}

/** Root mean square: closer than the peak to how loud a part sounds. */
function loudness(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}
