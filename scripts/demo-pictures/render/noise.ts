import { lerp } from './vector.ts'

/** A fixed number from 0 to 1 for a lattice point. */
export function hash(x: number, y: number, z: number): number {
  let h = (Math.imul(x, 374_761_393) + Math.imul(y, 668_265_263) + Math.imul(z, 2_147_483_647)) | 0
  h = Math.imul(h ^ (h >>> 13), 1_274_126_177)
  h = Math.imul(h ^ (h >>> 16), 2_246_822_519)
  return ((h ^ (h >>> 15)) >>> 0) / 4_294_967_296
}

const fade = (t: number) => t * t * t * (t * (t * 6 - 15) + 10)

function slope(x: number, y: number, z: number, dx: number, dy: number, dz: number): number {
  const h = (hash(x, y, z) * 16) | 0
  const u = h < 8 ? dx : dy
  const v = h < 4 ? dy : h === 12 || h === 14 ? dx : dz
  return ((h & 1) === 0 ? u : -u) + ((h & 2) === 0 ? v : -v)
}

/** Perlin's gradient noise, from about -1 to 1. */
export function noise(x: number, y: number, z = 0): number {
  const ix = Math.floor(x)
  const iy = Math.floor(y)
  const iz = Math.floor(z)
  const fx = x - ix
  const fy = y - iy
  const fz = z - iz
  const u = fade(fx)
  const v = fade(fy)
  const near = lerp(
    lerp(slope(ix, iy, iz, fx, fy, fz), slope(ix + 1, iy, iz, fx - 1, fy, fz), u),
    lerp(slope(ix, iy + 1, iz, fx, fy - 1, fz), slope(ix + 1, iy + 1, iz, fx - 1, fy - 1, fz), u),
    v,
  )
  if (fz === 0) return near
  const far = lerp(
    lerp(slope(ix, iy, iz + 1, fx, fy, fz - 1), slope(ix + 1, iy, iz + 1, fx - 1, fy, fz - 1), u),
    lerp(slope(ix, iy + 1, iz + 1, fx, fy - 1, fz - 1), slope(ix + 1, iy + 1, iz + 1, fx - 1, fy - 1, fz - 1), u),
    v,
  )
  return lerp(near, far, fade(fz))
}

/** Noise in octaves, each twice as fine and `gain` times as strong as the one before. */
export function fbm(x: number, y: number, z = 0, octaves = 5, gain = 0.5): number {
  let sum = 0
  let strength = 1
  let size = 1
  for (let octave = 0; octave < octaves; octave++) {
    sum += strength * noise(x * size + octave * 17.3, y * size - octave * 9.1, z * size)
    strength *= gain
    size *= 2.03
  }
  return sum
}

/** Sharp crests, as of mountains and folds: from 0 to about 1. */
export function ridges(x: number, y: number, z = 0, octaves = 5, gain = 0.5): number {
  let sum = 0
  let strength = 0.5
  let size = 1
  let before = 1
  for (let octave = 0; octave < octaves; octave++) {
    const crest = 1 - Math.abs(noise(x * size + octave * 31.7, y * size + octave * 13.9, z * size))
    const sharp = crest * crest
    sum += strength * sharp * before
    before = sharp
    strength *= gain
    size *= 2.07
  }
  return sum
}

/** Distances to the nearest and second nearest of points that are strewn over space, one in each cell. */
export function cells(x: number, y: number, z = 0): { nearest: number; second: number; id: number } {
  const ix = Math.floor(x)
  const iy = Math.floor(y)
  const iz = Math.floor(z)
  let nearest = 9
  let second = 9
  let id = 0
  for (let dz = -1; dz <= 1; dz++)
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        const cx = ix + dx
        const cy = iy + dy
        const cz = iz + dz
        const px = cx + hash(cx, cy, cz) - x
        const py = cy + hash(cx + 57, cy, cz) - y
        const pz = cz + hash(cx, cy + 91, cz) - z
        const distance = Math.sqrt(px * px + py * py + pz * pz)
        if (distance < nearest) {
          second = nearest
          nearest = distance
          id = hash(cx, cy, cz + 133)
        } else if (distance < second) second = distance
      }
  return { nearest, second, id }
}
