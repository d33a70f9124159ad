import { random } from '../../../server/demo/random.ts'
import { emptyImage, type Image, type Size } from '../render/image.ts'
import { fbm, noise, ridges } from '../render/noise.ts'
import { add, clamp, hex, lerp, mix, normalize, scale, smoothstep, type Vector } from '../render/vector.ts'

export type Weather = {
  readonly zenith: string
  readonly horizon: string
  /** The color of the sun and of what it lights. */
  readonly sun: string
  /** In the shade, and far away. */
  readonly haze: string
  readonly near: string
  /** Where the sun is: 0 is left or the top, 1 right or the bottom. */
  readonly at: readonly [number, number]
  readonly fog: number
}

/**
 * Range behind range in morning fog: each has its own line, woods along it, light from the sun's side, and fog at its foot.
 */
export function ranges(
  size: Size,
  weather: Weather,
  { seed = 1, layers = 7, top = 0.34, woods = true, steep = 1, drift = 0 } = {},
): Image {
  const image = emptyImage(size)
  const { width, height } = size
  const [zenith, horizon, sun, haze, near] = [
    weather.zenith,
    weather.horizon,
    weather.sun,
    weather.haze,
    weather.near,
  ].map(hex)
  const unit = Math.max(height, width * 0.5)
  const lines = Array.from({ length: layers }, (_, layer) =>
    rangeLine(size, unit, seed + layer * 13, layer / (layers - 1), top, woods, steep),
  )
  const sunX = weather.at[0] * width
  const sunY = weather.at[1] * height
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) {
      // From the nearest range back, until one hides the rest.
      let color: Vector = [0, 0, 0]
      let open = 1
      for (let layer = layers - 1; layer >= 0 && open > 0.01; layer--) {
        const { line, ground } = lines[layer]
        const cover = smoothstep(-0.7, 0.7, y - line[x]) * open
        if (cover === 0) continue
        const slope = {
          x: x / unit,
          below: Math.max(y - ground[x], 0) / unit,
          depth: layer / (layers - 1),
          seed: layer + seed,
          line: ground,
          column: x,
        }
        color = add(color, scale(slopeColor(slope, sunX, unit, haze, near, sun, horizon, weather.fog, drift), cover))
        open -= cover
      }
      if (open > 0.01)
        color = add(color, scale(skyColor(x, y, size, unit, zenith, horizon, sun, sunX, sunY, seed, drift), open))
      write(image, x, y, color)
    }
  return image
}

function rangeLine(
  { width, height }: Size,
  unit: number,
  seed: number,
  depth: number,
  top: number,
  woods: boolean,
  steep: number,
) {
  const line = new Float32Array(width + 1)
  const base = height * lerp(top, 0.93, depth ** 0.85)
  const swing = unit * lerp(0.085, 0.13, depth) * steep
  const chance = random(seed * 31 + 7)
  for (let x = 0; x <= width; x++) {
    const at = (x / unit) * lerp(2.6, 1.15, depth)
    line[x] =
      base - swing * (ridges(at + seed * 3.1, seed, 0, 6, 0.5) * 1.6 - 0.7 + 0.5 * fbm(at * 0.5 + seed, 9.2, 0, 2))
  }
  if (!woods || depth < 0.3) return { line, ground: line }
  // Pines: each lifts the line to a narrow, ragged cone.
  const tall = unit * lerp(0.008, 0.062, depth ** 1.8)
  const trees = Math.round((width / tall) * 3.2)
  const ground = Float32Array.from(line)
  for (let tree = 0; tree < trees; tree++) {
    const x = chance.between(0, width)
    if (fbm((x / unit) * 4, seed + 0.5, 0, 3) < -0.12) continue
    const size = tall * chance.between(0.35, 1.15)
    const reach = size * chance.between(0.16, 0.24)
    for (let at = Math.max(Math.ceil(x - reach), 0); at <= Math.min(x + reach, width); at++) {
      const share = Math.abs(at - x) / reach
      const ragged = 1 - share - 0.12 * Math.abs(noise(at * 0.9, tree))
      line[at] = Math.min(line[at], ground[Math.round(x)] + size * 0.1 - size * Math.max(ragged, 0))
    }
  }
  return { line, ground }
}

function skyColor(
  x: number,
  y: number,
  { height }: Size,
  unit: number,
  zenith: Vector,
  horizon: Vector,
  sun: Vector,
  sunX: number,
  sunY: number,
  seed: number,
  drift: number,
): Vector {
  const share = clamp(y / (height * 0.6))
  let color = mix(zenith, horizon, share ** 0.8)
  const clouds = fbm((x / unit) * 1.6 + seed + drift * 0.3, (y / unit) * 7, seed, 6, 0.52)
  color = mix(color, mix(horizon, sun, 0.3), smoothstep(0.02, 0.65, clouds) * 0.42)
  const away = Math.hypot(x - sunX, (y - sunY) * 1.1) / unit
  color = add(color, scale(sun, 0.5 * Math.exp(-away * 5.5) + 0.35 * Math.exp(-away * 16)))
  return add(color, scale(sun, 5 * smoothstep(0.031, 0.026, away)))
}

type Slope = { x: number; below: number; depth: number; seed: number; line: Float32Array; column: number }

function slopeColor(
  slope: Slope,
  sunX: number,
  unit: number,
  haze: Vector,
  near: Vector,
  sun: Vector,
  horizon: Vector,
  fog: number,
  drift: number,
): Vector {
  const { x, below, depth, seed, line, column } = slope
  // Spurs and gullies run down from the crest.
  const grain = fbm(x * lerp(9, 5, depth) + below * 2, below * 6 + seed, seed, 5)
  const left = line[Math.max(column - 6, 0)]
  const right = line[Math.min(column + 6, line.length - 1)]
  const facing = clamp(((right - left) / 12) * Math.sign(sunX - column) * 0.5 + 0.5 + grain * 0.8)
  const toSun = Math.exp(-Math.abs(column - sunX) / (unit * 0.5))
  const woods = 0.75 + 0.5 * noise(x * 160, below * 60, seed) * depth
  let color = mix(scale(haze, 0.9 + 0.2 * grain), scale(near, woods), depth ** 0.9)
  color = add(color, scale(sun, 0.16 * facing * (1 - depth * 0.75) * (0.35 + toSun)))
  const swirl = fbm(x * 2.2 + seed * 5 + drift * (0.4 + depth), below * 5, seed + drift * 0.4, 4)
  const foot = smoothstep(0.01, lerp(0.13, 0.3, depth), below + swirl * 0.05)
  const air = clamp(fog * (0.25 + foot) * (1.12 - depth * 0.85) + 0.3 * (1 - depth) ** 2)
  return mix(color, mix(horizon, sun, 0.22 * toSun), air)
}

/** Rock and snow in low light, seen across a valley: a real relief, marched by rays. */
export function peaks(
  size: Size,
  weather: Weather,
  { seed = 1, snow = 0.4, lake = false, height: tall = 2.4, angle = 30 } = {},
): Image {
  const image = emptyImage(size)
  const [zenith, horizon, sun, haze, near] = [
    weather.zenith,
    weather.horizon,
    weather.sun,
    weather.haze,
    weather.near,
  ].map(hex)
  const relief = new Relief(seed, tall)
  const light = normalize([(weather.at[0] - 0.5) * 2.2, 0.45, -0.35 + weather.at[1]])
  const eye: Vector = [0, lake ? 0.3 : 1.15, 13]
  const half = Math.tan((angle * Math.PI) / 360)
  const { width, height } = size
  const see = (aim: Vector): Vector => {
    const t = relief.march(eye, aim)
    const sky = skyToward(aim, light, zenith, horizon, sun, seed)
    if (t < 0) return sky
    return relief.shade(add(eye, scale(aim, t)), t, light, sky, { sun, haze, near, horizon, snow, fog: weather.fog })
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let color: Vector = [0, 0, 0]
      for (const [jx, jy] of [
        [0.25, 0.25],
        [0.75, 0.75],
      ]) {
        const sx = ((x + jx - width / 2) / (height / 2)) * half
        const sy = -((y + jy - height * (lake ? 0.52 : 0.5)) / (height / 2)) * half
        let aim = normalize([sx, sy + 0.045, -1])
        if (lake && aim[1] < 0.012) {
          // A lake mirrors what is above it, a little darker, in ripples that shrink with distance.
          const away = 0.3 / Math.max(0.012 - aim[1], 0.002)
          const wave = 0.02 * fbm(sx * away * 3, away * 2.2, seed, 3) * smoothstep(120, 4, away)
          aim = normalize([aim[0] + wave, Math.abs(aim[1] - 0.012) * 0.96 + 0.012 + wave, -1])
          color = add(color, scale(mix(see(aim), near, 0.22), 0.5 * 0.82))
        } else color = add(color, scale(see(aim), 0.5))
      }
      write(image, x, y, color)
    }
  return image
}

function skyToward(aim: Vector, light: Vector, zenith: Vector, horizon: Vector, sun: Vector, seed: number): Vector {
  const share = clamp(aim[1] * 2.6) ** 0.7
  const toward = Math.max(aim[0] * light[0] + aim[1] * light[1] + aim[2] * light[2], 0)
  const clouds = fbm((aim[0] / (aim[1] + 0.25)) * 1.8 + seed, (1 / (aim[1] + 0.25)) * 1.2, seed, 6, 0.55)
  const sky = mix(horizon, zenith, share)
  const lit = mix(sky, mix(horizon, sun, 0.45), smoothstep(0.05, 0.6, clouds) * 0.6)
  return add(lit, scale(sun, 0.3 * toward ** 6))
}

type Ground = { sun: Vector; haze: Vector; near: Vector; horizon: Vector; snow: number; fog: number }

/** Heights over a square of 24, in a grid that is read between its points. */
class Relief {
  readonly #grid: Float32Array
  readonly #side = 768
  readonly #extent = 24
  readonly #tall: number
  readonly #seed: number

  constructor(seed: number, tall: number) {
    this.#tall = tall
    this.#seed = seed
    this.#grid = new Float32Array(this.#side ** 2)
    for (let j = 0; j < this.#side; j++)
      for (let i = 0; i < this.#side; i++) {
        const [x, z] = [(i / this.#side - 0.5) * this.#extent, (j / this.#side - 0.5) * this.#extent]
        const bend = fbm(x * 0.3, z * 0.3, seed, 3) * 0.6
        const crests = ridges(x * 0.2 + seed + bend, z * 0.2 + bend, seed, 8, 0.55)
        const far = smoothstep(8, -3, z)
        this.#grid[j * this.#side + i] =
          tall * (crests * 1.25 - 0.35) * (0.12 + 0.88 * far) + 0.1 * fbm(x * 1.2, z * 1.2, seed, 5)
      }
  }

  height(x: number, z: number): number {
    const u = clamp(x / this.#extent + 0.5) * (this.#side - 2)
    const v = clamp(z / this.#extent + 0.5) * (this.#side - 2)
    const [i, j] = [Math.floor(u), Math.floor(v)]
    const [a, b] = [u - i, v - j]
    const at = j * this.#side + i
    const g = this.#grid
    return (g[at] * (1 - a) + g[at + 1] * a) * (1 - b) + (g[at + this.#side] * (1 - a) + g[at + this.#side + 1] * a) * b
  }

  march(eye: Vector, aim: Vector): number {
    let t = 0.5
    for (let step = 0; step < 220; step++) {
      const [x, y, z] = [eye[0] + aim[0] * t, eye[1] + aim[1] * t, eye[2] + aim[2] * t]
      if (z < -12 || (aim[1] > 0 && y > this.#tall * 1.4)) return -1
      const gap = y - this.height(x, z)
      if (gap < 0.001 * t) return t
      t += Math.max(gap * 0.4, 0.004)
    }
    return -1
  }

  shade(at: Vector, t: number, light: Vector, sky: Vector, ground: Ground): Vector {
    const [x, y, z] = at
    const e = 0.012 + t * 0.0012
    const fine = (px: number, pz: number) => this.height(px, pz) + 0.022 * fbm(px * 9, pz * 9, this.#seed, 4, 0.55)
    const n = normalize([fine(x - e, z) - fine(x + e, z), 2 * e, fine(x, z - e) - fine(x, z + e)])
    const dim = this.#lit(at, light)
    const patch = fbm(x * 3, z * 3, y * 3, 4)
    const level = y / this.#tall + patch * 0.12
    const rock = scale(mix(ground.near, ground.haze, 0.25 + 0.3 * patch + 0.15 * noise(y * 14, x)), 1)
    const white = smoothstep(0.62, 0.8, n[1] + patch * 0.12) * smoothstep(ground.snow - 0.1, ground.snow + 0.15, level)
    const surface = mix(rock, [0.86, 0.89, 0.95], white)
    const direct = Math.max(n[0] * light[0] + n[1] * light[1] + n[2] * light[2], 0) * dim
    const ambient = 0.32 + 0.3 * n[1]
    const lit = [0, 1, 2].map((c) => surface[c] * (ground.sun[c] * direct * 1.5 + ground.haze[c] * ambient))
    const mist = clamp(
      1 - Math.exp(-t * 0.028 * ground.fog) + ground.fog * 0.6 * smoothstep(0.4, -0.25, y + patch * 0.25),
    )
    return mix([lit[0], lit[1], lit[2]], mix(ground.horizon, sky, 0.35), mist)
  }

  #lit(at: Vector, light: Vector): number {
    let open = 1
    let t = 0.06
    for (let step = 0; step < 40 && open > 0; step++) {
      const gap = at[1] + light[1] * t - this.height(at[0] + light[0] * t, at[2] + light[2] * t)
      open = Math.min(open, (gap * 7) / t + 0.15)
      t += Math.max(gap * 0.6, 0.05)
      if (t > 9) break
    }
    return clamp(open)
  }
}

function write({ width, pixels }: Image, x: number, y: number, color: Vector): void {
  pixels.set(color, (y * width + x) * 3)
}
