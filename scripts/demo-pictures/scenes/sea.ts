import { emptyImage, type Image, type Size } from '../render/image.ts'
import { fbm, noise, ridges } from '../render/noise.ts'
import { add, clamp, hex, lerp, mix, normalize, scale, smoothstep, type Vector } from '../render/vector.ts'
import type { Weather } from './landscape.ts'

type SeaOptions = {
  readonly seed?: number
  /** Where the horizon is: 0 is the top. */
  readonly line?: number
  /** A long exposure smooths the water to silk. */
  readonly calm?: number
  /** How far up the wet sand begins; 1 is no beach. */
  readonly beach?: number
  readonly sand?: string
  readonly rocks?: boolean
  readonly chop?: number
}

/** Open water under a low sun, as seen from a beach or a boat. */
export function sea(size: Size, weather: Weather, options: SeaOptions = {}): Image {
  const { seed = 1, line = 0.42, calm = 0, beach = 1, sand = '#b59a78', rocks = false, chop = 1 } = options
  const image = emptyImage(size)
  const { width, height } = size
  const [zenith, horizon, sun, haze, near] = [
    weather.zenith,
    weather.horizon,
    weather.sun,
    weather.haze,
    weather.near,
  ].map(hex)
  const ground = hex(sand)
  const unit = height
  const skyline = line * height
  const sunAt: readonly [number, number] = [((weather.at[0] - 0.5) * width) / unit, line - weather.at[1]]
  /** x to the right and y up from the horizon, in heights of the picture. */
  const sky = (x: number, y: number, isMirrored = false): Vector => {
    const clouds = fbm(x * 1.5 + seed, y * 6 + Math.abs(x) * 0.3, seed, 6, 0.53)
    const banks = fbm(x * 0.8 + seed * 2, y * 3.2, seed + 4, 5, 0.5)
    const away = Math.hypot(x - sunAt[0], y - sunAt[1])
    let color = mix(horizon, zenith, clamp(y / Math.max(line, 0.35)) ** 0.75)
    const lit = mix(mix(horizon, sun, 0.55), haze, smoothstep(0.02, 0.5, banks))
    color = mix(color, lit, smoothstep(0.04, 0.6, clouds) * 0.62 * smoothstep(-0.02, 0.06, y))
    color = add(color, scale(sun, 0.55 * Math.exp(-away * 6) + 0.45 * Math.exp(-away * 22)))
    return isMirrored ? color : add(color, scale(sun, 6 * smoothstep(0.024, 0.02, away)))
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const sx = (x - width / 2) / unit
      const sy = (skyline - y) / unit
      let color: Vector
      if (sy > 0) color = sky(sx, sy)
      else {
        const depth = -sy / (1 - line)
        const away = 0.055 / (-sy + 0.0012)
        const px = sx * away
        color = water(sx, sy, px, away)
        if (beach < 1) color = shore(color, px, away, depth)
        color = mix(color, mix(horizon, sun, 0.15), smoothstep(0.02, 0, depth) * 0.55)
      }
      if (rocks) color = withRocks(color, sx, sy)
      image.pixels.set(color, (y * width + x) * 3)
    }
  return image

  function water(sx: number, sy: number, px: number, away: number): Vector {
    // Waves of four sizes; far ones are finer than a pixel and fade.
    let [slopeX, slopeY] = [0, 0]
    for (const [length, strength] of [
      [0.55, 0.16],
      [0.19, 0.13],
      [0.07, 0.1],
      [0.026, 0.07],
    ] as const) {
      const visible = smoothstep(away * 0.016, away * 0.004, length) * (1 - calm * 0.93) * chop
      if (visible <= 0) continue
      const [u, v] = [px / (length * 2.6), away / length]
      slopeX += strength * visible * noise(u, v, length * 90 + seed)
      slopeY += strength * visible * (noise(u + 7.7, v + 3.1, length * 60 + seed) + 0.5 * noise(u * 2.1, v * 2, seed))
    }
    const facing = clamp(-sy * 1.35 + 0.04 - slopeY * 0.4)
    const mirror = lerp(1, 0.1, clamp(facing * 2.2) ** 0.55)
    const reach = clamp(-sy * 0.85 + slopeY * 0.75, 0.004, 1.2)
    const seen = sky(sx + slopeX * 0.6, reach, true)
    const body = mix(near, haze, 0.12 + 0.22 * clamp(slopeY * 3))
    // The sun's road: many small mirrors.
    const road = Math.exp(-(((sx - sunAt[0] * (1 + sy)) / (0.035 + -sy * 0.16)) ** 2))
    const sparkle =
      smoothstep(lerp(0.1, 0.02, calm), 0.3, slopeY + 0.12 * noise(px * 40, away * 30, seed)) + calm * 0.35
    const foam =
      chop > 0.7
        ? smoothstep(0.74, 0.92, ridges(px * 1.6, away * 0.9, seed, 4)) * smoothstep(2.2, 0.3, away) * (1 - calm)
        : 0
    return mix(add(mix(body, seen, mirror), scale(sun, road * sparkle * 1.7)), [0.8, 0.82, 0.84], foam * 0.5)
  }

  function shore(color: Vector, px: number, away: number, depth: number): Vector {
    const edge = beach + 0.05 * fbm(px * 3.2, seed, 0, 4) + 0.02 * noise(px * 11, seed)
    const land = smoothstep(edge - 0.006, edge + 0.006, depth)
    const lace = (offset: number, width: number) => {
      const d = depth - edge + offset + 0.012 * fbm(px * 9, away * 9, seed, 3)
      const holes = smoothstep(0.2, 0.75, ridges(px * 15, away * 17, seed, 4))
      return smoothstep(width, 0, Math.abs(d)) * (0.35 + 0.65 * holes)
    }
    const wet = smoothstep(0.17, 0.01, depth - edge)
    const grains = 0.92 + 0.12 * noise(px * 220, away * 220, seed) + 0.14 * fbm(px * 5, away * 7, seed, 4)
    const dry = scale(ground, grains * (1 - 0.5 * wet))
    const mirrored = sky(px / Math.max(away, 0.05), 0.25 + 0.2 * (1 - depth), true)
    const land3 = mix(dry, mirrored, wet * 0.5)
    const foam = clamp(lace(0, 0.02) + 0.75 * lace(0.075, 0.018) + 0.6 * lace(0.16, 0.013))
    return mix(mix(color, land3, land), [0.92, 0.91, 0.9], foam * 0.9)
  }

  function withRocks(color: Vector, sx: number, sy: number): Vector {
    for (const [cx, cy, w, h, id] of [
      [0.24, -0.045, 0.14, 0.13, 1],
      [0.4, -0.03, 0.07, 0.06, 2],
      [-0.3, -0.2, 0.2, 0.1, 3],
      [-0.12, -0.27, 0.1, 0.045, 4],
    ]) {
      const u = (sx - cx) / w
      const v = (sy - cy) / h
      const outline = 1 - Math.abs(u) ** 1.6 + 0.5 * fbm(u * 2.2, id * 7.3 + seed, 0, 5)
      const top = outline * 0.72
      if (v < 0 && v > -top * 0.85) {
        const mirror = smoothstep(0, 0.06, top + v)
        color = mix(color, scale(near, 0.45), mirror * 0.7 * smoothstep(-0.9, 0, v))
      }
      const inside = smoothstep(0, 0.05, top - v) * smoothstep(-0.06, 0.02, v)
      if (inside <= 0) continue
      const n = normalize([
        fbm(u * 4 + 0.1, v * 4, id, 5) - fbm(u * 4 - 0.1, v * 4, id, 5) + u * 0.35,
        0.35 + fbm(u * 4, v * 4 + 0.1, id, 5) - fbm(u * 4, v * 4 - 0.1, id, 5),
        0.4,
      ])
      const lit = clamp(n[0] * (sunAt[0] - cx) * 2.2 + n[1] * 0.7)
      const stone = add(scale(near, 0.35 + 0.3 * lit), scale(sun, 0.16 * lit ** 2))
      const mist = smoothstep(0.2, -0.04, v + 0.08 * fbm(u * 3, id, seed, 3)) * (0.15 + 0.6 * calm)
      color = mix(color, mix(stone, mix(haze, horizon, 0.5), mist), inside)
    }
    return color
  }
}
