import { cells, fbm, hash, noise, ridges } from '../render/noise.ts'
import type { Spot, Surface } from '../render/stage.ts'
import { clamp, hex, mix, scale, smoothstep, type Vector } from '../render/vector.ts'

/** Paper, chalk, unglazed clay: no highlight to speak of. */
export const matt = (color: string, more: Partial<Surface> = {}): Surface => ({
  color: hex(color),
  rough: 0.9,
  coat: 0.25,
  ...more,
})

/** A painted wall that was troweled by hand. */
export const plaster = (color: string, size = 1): Surface => {
  const base = hex(color)
  return {
    color: ({ x, y, z }) => scale(base, 0.97 + 0.07 * fbm(x * 0.8 * size, y * 0.8 * size, z * 0.8 * size, 4)),
    rough: 0.92,
    coat: 0.25,
    relief: (x, y, z) => (0.012 / size) * fbm(x * 2.4 * size, y * 2.4 * size, z * 2.4 * size, 5, 0.55),
    reliefStep: 0.01 / size,
  }
}

/** Boards along x: rings that were cut lengthwise, and fibers. */
export const wood = (light: string, dark: string, { size = 1, polish = 0.35, seed = 0 } = {}): Surface => {
  const [a, b] = [hex(light), hex(dark)]
  const grain = (x: number, y: number, z: number) => {
    const bend = fbm(x * 0.45 * size, y * 1.5 * size + seed * 7.7, z * 1.5 * size, 3) * 0.35
    const ring = Math.hypot(y * size + 1.3 + bend, z * size * 0.9 + 0.4 + seed * 0.37 + bend) * 7
    const year = ring - Math.floor(ring)
    return smoothstep(0, 0.75, year) * (1 - smoothstep(0.86, 1, year))
  }
  const fiber = (x: number, y: number, z: number) => noise(x * 3.5 * size, y * 130 * size, z * 130 * size + seed)
  return {
    color: ({ x, y, z }) => {
      const share = clamp(grain(x, y, z) * 0.75 + 0.12 * fiber(x, y, z) + 0.12 * fbm(x * 0.7, y * 3, z * 3, 3))
      return mix(a, b, share)
    },
    rough: 1 - polish,
    coat: 0.4 + polish,
    relief: (x, y, z) => (0.0007 / size) * (fiber(x, y, z) + 1.5 * grain(x, y, z)),
    reliefStep: 0.0025 / size,
  }
}

/** Floor boards or a table of planks across z, `width` wide. */
export const planks = (light: string, dark: string, width: number, polish = 0.35): Surface => {
  const kinds = [0, 1, 2, 3, 4].map((seed) => wood(light, dark, { size: 0.9, polish, seed: seed + 1 }))
  const kindOf = (z: number) => kinds[Math.floor(hash(Math.floor(z / width), 3, 1) * kinds.length)]
  const gap = (z: number) => Math.abs(z / width - Math.floor(z / width) - 0.5) * 2
  return {
    color: (spot) => {
      const plank = Math.floor(spot.z / width)
      const tone = 0.82 + 0.3 * hash(plank, 5, 2)
      const painted = kindOf(spot.z).color
      const color = typeof painted === 'function' ? painted({ ...spot, x: spot.x + plank * 3.3 }) : painted
      return scale(color, tone * (1 - 0.85 * smoothstep(0.965, 0.99, gap(spot.z))))
    },
    rough: 1 - polish,
    coat: 0.4 + polish,
    relief: (x, y, z, u, v) =>
      (kindOf(z).relief?.(x + Math.floor(z / width) * 3.3, y, z, u, v) ?? 0) - 0.012 * smoothstep(0.96, 1, gap(z)),
    reliefStep: 0.003,
  }
}

/** Woven threads along x and z; `pitch` is the distance of two threads. */
export const linen = (color: string, { pitch = 0.02, sheen = 0.12, rough = 0.95, worn = 0.12 } = {}): Surface => {
  const base = hex(color)
  const weave = (x: number, z: number) => {
    const [i, j] = [x / pitch, z / pitch]
    const over = (Math.floor(i) + Math.floor(j)) % 2 === 0
    const [fx, fz] = [Math.abs((((i % 1) + 1) % 1) - 0.5) * 2, Math.abs((((j % 1) + 1) % 1) - 0.5) * 2]
    return over ? 1 - fx * fx - fz * 0.3 : 1 - fz * fz - fx * 0.3
  }
  return {
    color: ({ x, y, z }) => {
      const thread = 1 + worn * noise(x / pitch / 9, z / pitch, y) + worn * noise(x / pitch, z / pitch / 9, y + 5)
      return scale(base, (0.9 + 0.1 * weave(x, z)) * thread)
    },
    rough,
    coat: 0.15,
    sheen,
    relief: (x, _y, z) => pitch * 0.22 * weave(x, z),
    reliefStep: pitch * 0.12,
  }
}

/** Thick, soft cloth without visible threads. */
export const wool = (color: string, sheen = 0.5): Surface => {
  const base = hex(color)
  return {
    color: ({ x, y, z }) =>
      scale(base, 0.92 + 0.22 * noise(x * 90, y * 90, z * 90) + 0.1 * fbm(x * 7, y * 7, z * 7, 3)),
    rough: 1,
    coat: 0,
    sheen,
    relief: (x, y, z) => 0.0035 * fbm(x * 55, y * 55, z * 55, 3, 0.6),
    reliefStep: 0.003,
  }
}

/** Glaze that ran from one color into another, over speckled clay. */
export const glaze = (
  upper: string,
  lower: string,
  clay: string,
  { edge = 0.5, run = 0.08, gloss = 0.9, speckle = 1 } = {},
): Surface => {
  const [a, b, c] = [hex(upper), hex(lower), hex(clay)]
  const border = (spot: Spot) => spot.y - edge + run * fbm(spot.x * 5, spot.y * 0.6, spot.z * 5, 4)
  const bare = (spot: Spot) => spot.v < 0.16 + 0.02 * noise(spot.u * 22, 0.4)
  return {
    color: (spot) => {
      const { x, y, z } = spot
      if (bare(spot)) return scale(c, 0.9 + 0.15 * fbm(x * 18, y * 18, z * 18, 3))
      const pool = 0.9 + 0.2 * fbm(x * 3, y * 1.3, z * 3, 4)
      const spots = speckle * smoothstep(0.3, 0.16, cells(x * 13, y * 13, z * 13).nearest) * 0.55
      return mix(scale(mix(b, a, smoothstep(-0.09, 0.09, border(spot))), pool), scale(c, 0.35), spots)
    },
    rough: (spot) => (bare(spot) ? 0.95 : 1 - gloss),
    coat: gloss + 0.2,
    relief: (x, y, z) => 0.0018 * fbm(x * 6, y * 6, z * 6, 3) + 0.0012 * Math.sin(y * 90 + noise(x * 2, z * 2) * 3),
    reliefStep: 0.004,
  }
}

export const metal = (color: string, rough = 0.2, brushed = 0): Surface => ({
  color: hex(color),
  metal: 1,
  rough,
  ...(brushed > 0 && { relief: (x, y, z) => brushed * fbm(x * 7, y * 7, z * 7, 3), reliefStep: 0.004 }),
})

export const glass = (color = '#ffffff', index = 1.5): Surface => ({ color: hex(color), glass: index })

/** Poured floor, cast steps, tarmac. */
export const concrete = (color: string, { size = 1, wet = 0 } = {}): Surface => {
  const base = hex(color)
  const puddle = (x: number, z: number) => smoothstep(0.02, 0.2, fbm(x * 0.5, z * 0.5, 3.1, 3) - 0.25 + wet * 0.6)
  return {
    color: ({ x, y, z }) => {
      const stain =
        0.9 + 0.16 * fbm(x * 1.2 * size, y * 1.2 * size, z * 1.2 * size, 5) + 0.07 * noise(x * 60, y * 60, z * 60)
      return scale(base, stain * (wet > 0 ? 1 - 0.55 * puddle(x, z) : 1))
    },
    rough: ({ x, z }) => (wet > 0 ? 0.85 - 0.8 * puddle(x, z) : 0.88),
    coat: wet > 0 ? 1 : 0.35,
    relief: (x, y, z) =>
      (wet > 0 ? 1 - puddle(x, z) : 1) * (0.004 / size) * fbm(x * 9 * size, y * 9 * size, z * 9 * size, 4, 0.6),
    reliefStep: 0.006 / size,
  }
}

/** Stone with veins. */
export const marble = (ground: string, vein: string, size = 1): Surface => {
  const [a, b] = [hex(ground), hex(vein)]
  return {
    color: ({ x, y, z }) => {
      const bend = fbm(x * size, y * size, z * size, 4) * 0.8
      const line = ridges(x * 0.7 * size + bend, y * 0.7 * size, z * 0.7 * size + bend, 4)
      return mix(a, b, smoothstep(0.62, 0.95, line) * 0.8 + 0.1 * bend)
    },
    rough: 0.28,
    coat: 1,
  }
}

/** The skin of fruit: spots, a blush on one side. */
export const fruit = (color: string, blush: string, { gloss = 0.55, bloom = 0 } = {}): Surface => {
  const [a, b] = [hex(color), hex(blush)]
  const dust: Vector = hex('#b9b4cc')
  return {
    color: ({ x, y, z }) => {
      const share = smoothstep(-0.5, 0.7, x * 0.9 + z * 0.4 + 0.5 * fbm(x * 2, y * 2, z * 2, 4))
      const spots = smoothstep(0.16, 0.1, cells(x * 9, y * 9, z * 9).nearest) * 0.25
      const haze = bloom * smoothstep(-0.2, 0.6, fbm(x * 2.2, y * 2.2 + 7, z * 2.2, 4) + 0.25)
      return mix(scale(mix(a, b, share), 1 + spots), dust, haze)
    },
    rough: 1 - gloss,
    coat: 1 - bloom * 0.7,
    soft: 0.16,
    relief: (x, y, z) => 0.004 * fbm(x * 14, y * 14, z * 14, 3),
    reliefStep: 0.006,
  }
}

/** A crust: gold to nearly black where it rose, flour where it didn't. */
export const crust = (burn: number, flour: number, cut: (x: number, z: number) => number): Surface => {
  const [pale, gold, brown, dark] = ['#e2c08a', '#bd7a33', '#7d4218', '#33190c'].map(hex)
  const white = hex('#efe6d6')
  return {
    color: ({ x, y, z }) => {
      const open = cut(x, z)
      const baked = clamp(0.45 + 0.45 * fbm(x * 3, y * 3, z * 3, 5) + burn + smoothstep(0.2, 0.9, y) * 0.25)
      const shell = baked < 0.5 ? mix(gold, brown, baked * 2) : mix(brown, dark, baked * 2 - 1)
      const crumb = mix(pale, gold, clamp(0.3 + 0.9 * fbm(x * 9, y * 9, z * 9, 4)))
      const dusted = flour * (1 - open) * smoothstep(0.05, 0.5, fbm(x * 5, y * 5, z * 5, 5) + 0.28)
      return mix(mix(shell, crumb, open), white, dusted)
    },
    rough: 0.8,
    coat: 0.45,
    soft: 0.08,
    relief: (x, y, z) =>
      0.012 * fbm(x * 11, y * 11, z * 11, 4, 0.6) + 0.01 * smoothstep(0.2, 0.05, cells(x * 16, y * 16, z * 16).nearest),
    reliefStep: 0.006,
  }
}
