import { random } from '../../../server/demo/random.ts'
import { emptyImage, type Image, type Size, sample } from '../render/image.ts'
import { fbm, noise } from '../render/noise.ts'
import { Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { clamp, hex, lerp, mix, scale, smoothstep, type Vector } from '../render/vector.ts'
import { linen, matt, planks, wood } from '../shapes/materials.ts'
import { deform } from '../shapes/mesh.ts'
import { ground, lathe, sphere, tube } from '../shapes/solids.ts'
import { sunlight, windowLight } from './light.ts'

export type Plant = {
  readonly seed: number
  readonly kind: 'fern' | 'poppy' | 'branch' | 'grass' | 'thistle'
  readonly colors: readonly [string, string, string]
}

/** A sheet of paper with a drawing: washes of watercolor first, then ink. One wide, `tall` high. */
class Sheet {
  readonly image: Image
  readonly #unit: number

  constructor(width: number, tall: number) {
    this.image = emptyImage({ width, height: Math.round(width * tall) })
    this.image.pixels.fill(1)
    this.#unit = width
  }

  /** A wash inside a shape: darker where it dried last, at its edge. @param inside 1 deep inside, 0 at the edge, negative outside. */
  wash(
    low: readonly [number, number],
    high: readonly [number, number],
    color: Vector,
    strength: number,
    seed: number,
    inside: (x: number, y: number) => number,
  ): void {
    const { width, height, pixels } = this.image
    const unit = this.#unit
    for (let y = Math.max(Math.floor(low[1] * unit), 0); y <= Math.min(high[1] * unit, height - 1); y++)
      for (let x = Math.max(Math.floor(low[0] * unit), 0); x <= Math.min(high[0] * unit, width - 1); x++) {
        const [px, py] = [x / unit, y / unit]
        const ragged = inside(px, py) + 0.12 * fbm(px * 26, py * 26, seed, 3)
        if (ragged <= 0) continue
        const cover = smoothstep(0, 0.06, ragged)
        const rim = Math.exp(-ragged * 9) * 0.8
        const bloom = 0.75 + 0.6 * fbm(px * 9, py * 9, seed + 3, 4)
        const grain = 0.92 + 0.16 * noise(px * 420, py * 420, seed)
        const amount = clamp(cover * strength * (bloom * 0.6 + rim) * grain)
        for (let channel = 0; channel < 3; channel++)
          pixels[(y * width + x) * 3 + channel] *= lerp(1, color[channel], amount)
      }
  }

  /** A line of a pen that presses harder in the middle. */
  ink(
    points: readonly (readonly [number, number])[],
    thick: number,
    color: Vector = [0.05, 0.045, 0.05],
    strength = 0.85,
  ): void {
    const { width, height, pixels } = this.image
    const unit = this.#unit
    let total = 0
    for (let index = 1; index < points.length; index++)
      total += Math.hypot(points[index][0] - points[index - 1][0], points[index][1] - points[index - 1][1])
    let done = 0
    for (let index = 1; index < points.length; index++) {
      const [a, b] = [points[index - 1], points[index]]
      const long = Math.hypot(b[0] - a[0], b[1] - a[1])
      const steps = Math.max(Math.ceil(long * unit * 1.6), 1)
      for (let step = 0; step < steps; step++) {
        const share = step / steps
        const press =
          0.35 +
          0.65 * Math.sin(Math.PI * clamp((done + long * share) / total)) +
          0.2 * noise((done + long * share) * 60, thick * 900)
        const [x, y] = [lerp(a[0], b[0], share) * unit, lerp(a[1], b[1], share) * unit]
        const r = Math.max(thick * unit * press, 0.35)
        for (let py = Math.floor(y - r - 1); py <= y + r + 1; py++)
          for (let px = Math.floor(x - r - 1); px <= x + r + 1; px++) {
            if (px < 0 || py < 0 || px >= width || py >= height) continue
            const cover = smoothstep(r + 0.6, r - 0.5, Math.hypot(px - x, py - y)) * strength * 0.55
            for (let channel = 0; channel < 3; channel++) {
              const at = (py * width + px) * 3 + channel
              pixels[at] = Math.max(pixels[at] * lerp(1, color[channel], cover), color[channel] * 0.9)
            }
          }
      }
      done += long
    }
  }

  leaf(
    x: number,
    y: number,
    angle: number,
    long: number,
    wide: number,
    color: Vector,
    seed: number,
    { veins = true, lobes = 0 } = {},
  ): void {
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const bend = (hashOf(seed) - 0.5) * 0.5
    const breadth = (u: number) => wide * Math.sin(Math.PI * u ** 0.85) * (1 + lobes * Math.sin(u * 34))
    const inside = (px: number, py: number) => {
      const [u, w] = [((px - x) * c + (py - y) * s) / long, -(px - x) * s + (py - y) * c]
      if (u <= 0.001 || u >= 0.999) return -1
      return 1 - Math.abs(w - bend * long * u * u) / Math.max(breadth(u), 1e-4)
    }
    const reach = long + wide * 2
    this.wash([x - reach, y - reach], [x + reach, y + reach], color, 0.92, seed, inside)
    const at = (u: number, v: number): [number, number] => {
      const [lx, ly] = [u * long, bend * long * u * u + v * breadth(u)]
      return [x + lx * c - ly * s, y + lx * s + ly * c]
    }
    const line = (side: number) =>
      Array.from({ length: 22 }, (_, i) => at(0.01 + (i / 21) * 0.985, side * (1 + 0.06 * noise(i * 0.9, seed))))
    this.ink(line(1), 0.0011)
    this.ink(line(-1), 0.0011)
    this.ink(
      Array.from({ length: 14 }, (_, i) => at(i / 14, 0)),
      0.001,
    )
    if (!veins) return
    for (let vein = 1; vein < 8; vein++)
      for (const side of [-1, 1])
        this.ink(
          [at(vein / 9, 0), at(vein / 9 + 0.05, side * 0.4), at(vein / 9 + 0.08, side * 0.82)],
          0.0006,
          [0.12, 0.11, 0.1],
          0.7,
        )
  }
}

const hashOf = (seed: number) => random(Math.round(seed * 1000) + 7).between(0, 1)

function drawPlant({ seed, kind, colors }: Plant, tall: number, width: number): Sheet {
  const sheet = new Sheet(width, tall)
  const chance = random(seed)
  const [green, dark, bloom] = colors.map(hex)
  const stem = (from: readonly [number, number], to: readonly [number, number], bow: number) =>
    Array.from({ length: 40 }, (_, i): [number, number] => {
      const t = i / 39
      return [lerp(from[0], to[0], t) + bow * Math.sin(t * Math.PI), lerp(from[1], to[1], t)]
    })
  const foot: [number, number] = [0.5 + chance.between(-0.05, 0.05), tall * 0.86]
  if (kind === 'fern') {
    for (const [tx, ty, bow] of [
      [0.42, 0.14, -0.06],
      [0.68, 0.26, 0.05],
      [0.27, 0.34, -0.03],
    ]) {
      const line = stem(foot, [tx, tall * ty], bow)
      for (let i = 5; i < 39; i++) {
        const t = i / 39
        const long = 0.17 * Math.sin(Math.PI * t ** 0.7) * (ty < 0.2 ? 1 : 0.8)
        for (const side of [-1, 1])
          sheet.leaf(
            line[i][0],
            line[i][1],
            -Math.PI / 2 + side * (1.15 - 0.25 * t),
            long,
            long * 0.15,
            mix(green, dark, chance.between(0, 0.7)),
            seed + i + side * 50,
            { veins: false, lobes: 0.2 },
          )
      }
      sheet.ink(line, 0.0022)
    }
  } else if (kind === 'grass') {
    for (let blade = 0; blade < 26; blade++) {
      const to: [number, number] = [0.5 + chance.between(-0.36, 0.36), tall * chance.between(0.1, 0.5)]
      const line = stem([foot[0] + chance.between(-0.03, 0.03), foot[1]], to, chance.between(-0.1, 0.1))
      sheet.ink(line, chance.between(0.001, 0.0022), mix(green, dark, chance.between(0, 1)), 0.9)
      if (blade % 2)
        for (let i = 22; i < 39; i++)
          sheet.leaf(
            line[i][0],
            line[i][1],
            -Math.PI / 2 + (i % 2 ? 0.6 : -0.6),
            0.028,
            0.0065,
            bloom,
            seed + blade * 40 + i,
            { veins: false },
          )
    }
  } else {
    const heads: [number, number, number, number][] =
      kind === 'branch'
        ? [
            [0.62, 0.12, 0.1, 0],
            [0.3, 0.3, -0.07, 0],
          ]
        : [
            [0.44, 0.2, -0.06, 0.13],
            [0.68, 0.32, 0.07, 0.1],
            [0.27, 0.42, -0.05, 0.06],
          ]
    for (const [tx, ty, bow, size] of heads) {
      const line = stem(foot, [tx, tall * ty], bow)
      sheet.ink(line, 0.0024, scale(dark, 0.7))
      const count = kind === 'branch' ? 15 : 5
      for (let index = 0; index < count; index++) {
        const i = Math.round(lerp(8, kind === 'branch' ? 38 : 26, index / count))
        const side = index % 2 ? 1 : -1
        const long = kind === 'branch' ? chance.between(0.14, 0.2) : chance.between(0.15, 0.22)
        sheet.leaf(
          line[i][0],
          line[i][1],
          -Math.PI / 2 + side * chance.between(0.6, 1.1),
          long,
          long * (kind === 'branch' ? 0.24 : 0.15),
          mix(green, dark, chance.between(0, 0.8)),
          seed + index * 3 + tx * 90,
          { lobes: kind === 'branch' ? 0 : 0.28 },
        )
      }
      if (size > 0) drawHead(sheet, kind, tx, tall * ty, size, bloom, dark, seed)
    }
  }
  for (let root = 0; root < 9; root++) {
    const to: [number, number] = [foot[0] + chance.between(-0.09, 0.09), foot[1] + chance.between(0.03, 0.085)]
    sheet.ink(stem(foot, to, chance.between(-0.02, 0.02)), 0.0011, [0.25, 0.17, 0.1])
  }
  handwriting(sheet, 0.62, tall * 0.935, 0.28, seed)
  handwriting(sheet, 0.66, tall * 0.957, 0.18, seed + 1)
  return sheet
}

function drawHead(
  sheet: Sheet,
  kind: Plant['kind'],
  x: number,
  y: number,
  size: number,
  bloom: Vector,
  dark: Vector,
  seed: number,
): void {
  const chance = random(seed + Math.round(x * 100))
  if (kind === 'thistle') {
    for (let ray = 0; ray < 70; ray++) {
      const angle = -Math.PI / 2 + chance.between(-1.1, 1.1)
      sheet.ink(
        [
          [x, y],
          [x + Math.cos(angle) * size * 0.5, y + Math.sin(angle) * size * 0.5],
          [
            x + Math.cos(angle) * size * chance.between(0.8, 1.05),
            y + Math.sin(angle) * size * chance.between(0.8, 1.05),
          ],
        ],
        0.0016,
        bloom,
        0.8,
      )
    }
    for (let scaleAt = 0; scaleAt < 26; scaleAt++)
      sheet.leaf(
        x + chance.between(-0.3, 0.3) * size,
        y + chance.between(0, 0.45) * size,
        -Math.PI / 2 + chance.between(-0.7, 0.7),
        size * 0.24,
        size * 0.06,
        dark,
        seed + scaleAt,
        { veins: false },
      )
    return
  }
  for (let petal = 0; petal < 7; petal++) {
    const angle = (petal / 7) * Math.PI * 2 + chance.between(-0.2, 0.2)
    sheet.leaf(x, y, angle, size * chance.between(0.85, 1.05), size * 0.42, bloom, seed + petal * 7, { veins: true })
  }
  sheet.wash(
    [x - size, y - size],
    [x + size, y + size],
    scale(dark, 0.35),
    0.95,
    seed,
    (px, py) => 1 - Math.hypot(px - x, py - y) / (size * 0.2),
  )
  for (let dot = 0; dot < 26; dot++) {
    const [a, r] = [chance.between(0, 6.3), size * chance.between(0.2, 0.34)]
    sheet.ink(
      [
        [x + Math.cos(a) * r, y + Math.sin(a) * r],
        [x + Math.cos(a) * r * 1.02, y + Math.sin(a) * r * 1.02],
      ],
      0.002,
    )
  }
}

/** Lines like a naturalist's hand, which say nothing. */
function handwriting(sheet: Sheet, x: number, y: number, long: number, seed: number): void {
  const chance = random(seed + 99)
  let at = x
  while (at < x + long) {
    const word = chance.between(0.02, 0.06)
    const points: [number, number][] = []
    const letters = Math.round(word * 320)
    for (let step = 0; step <= letters * 6; step++) {
      const t = step / 6
      const tall = hashOf(seed + at + Math.floor(t)) > 0.72 ? 0.0095 : 0.0042
      points.push([
        at + (t / letters) * word + 0.0016 * Math.sin(t * Math.PI * 2),
        y - tall * Math.max(Math.sin(t * Math.PI * 2), -0.3),
      ])
    }
    sheet.ink(points, 0.0009, [0.12, 0.1, 0.14], 0.8)
    at += word + 0.014
  }
}

const paper = (drawing: Image, tall: number, tone = '#efe7d4'): Surface => {
  const base = hex(tone)
  return {
    color: ({ x, z, u, v }) => {
      const fibers = 0.97 + 0.04 * fbm(x * 30, z * 30, 1, 3) + 0.03 * noise(x * 130, z * 130)
      const edge = Math.min(u, 1 - u, v * tall, (1 - v) * tall)
      const aged = mix(
        scale(base, fibers),
        scale(hex('#c9a877'), fibers),
        0.4 * Math.exp(-edge * 26) + 0.25 * smoothstep(0.45, 0.8, fbm(x * 1.7, z * 1.7, 7, 3)),
      )
      const at = (channel: number) => sample(drawing, u * drawing.width, (1 - v) * drawing.height, channel)
      return [aged[0] * at(0), aged[1] * at(1), aged[2] * at(2)]
    },
    rough: 0.95,
    coat: 0.15,
    soft: 0.05,
    relief: (x, _y, z) => 0.0015 * fbm(x * 40, z * 40, 2, 3),
  }
}

/** A drawing on its desk, with the tools that made it. `close` looks at it from near and low. */
export function herbarium(
  size: Size,
  plant: Plant,
  { close = false, desk = 'dark' as 'dark' | 'light' | 'linen', second = undefined as Plant | undefined } = {},
): Image {
  const stage = new Stage()
  const tall = 1.36
  const drawing = drawPlant(plant, tall, 1300).image
  stage.add(
    ground(14, 2),
    desk === 'dark'
      ? planks('#5c4331', '#33231a', 1.3, 0.35)
      : desk === 'linen'
        ? linen('#b8b09e', { pitch: 0.03 })
        : planks('#c9a97e', '#9a774e', 1.3, 0.3),
    { turned: [0, 90, 0] },
  )
  const wide = 3.1
  const page = (seed: number) =>
    deform(ground(1, 60), ([x, , z]) => [
      x * wide,
      0.012 +
        0.05 * smoothstep(0.32, 0.5, Math.abs(x)) * (0.5 + 0.5 * noise(z * 2, seed)) +
        0.01 * fbm(x * 3, z * 3, seed, 2),
      z * wide * tall,
    ])
  stage.add(page(1), paper(drawing, tall), { turned: [0, close ? 6 : -3, 0] })
  if (second)
    stage.add(page(4), paper(drawPlant(second, tall, 900).image, tall, '#e9dfc8'), {
      at: [2.5, -0.008, -1.6],
      turned: [0, -17, 0],
    })
  const rod = (from: Vector, to: Vector, tone: string) => {
    stage.add(
      tube([from, to], (s) => 0.05 - 0.012 * s, { parts: 14 }),
      matt(tone, { rough: 0.3, coat: 1 }),
    )
    const dir = to.map((value, axis) => value - from[axis])
    const tip: Vector = [to[0] + dir[0] * 0.16, to[1] - 0.02, to[2] + dir[2] * 0.16]
    stage.add(
      tube([to, tip], (s) => 0.035 * (1 - s) + 0.004, { parts: 12 }),
      matt('#1d1a18'),
    )
  }
  rod([1.75, 0.07, 1.5], [1.2, 0.07, 0.2], '#7a1f2b')
  rod([2.05, 0.07, 1.2], [1.75, 0.07, -0.35], '#c9a24a')
  stage.add(
    lathe(
      [
        [0.3, 0],
        [0.32, 0.25],
        [0.3, 0.32],
        [0.24, 0.3],
        [0.001, 0.24],
      ],
      64,
    ),
    matt('#e9e4d8', { rough: 0.25, coat: 1 }),
    { at: [-2.05, 0, -1.35] },
  )
  stage.add(
    lathe(
      [
        [0.26, 0.2],
        [0.001, 0.2],
      ],
      32,
      2,
    ),
    { color: hex(plant.colors[0]), rough: 0.06, coat: 1.1 },
    { at: [-2.05, 0.06, -1.35] },
  )
  for (const [x, z, s] of [
    [-1.95, 1.4, 0.13],
    [-2.2, 1.1, 0.1],
  ])
    stage.add(
      deform(sphere(1, 24), ([a, b, c]) => [a * 1.3, b * 0.6, c]),
      wood('#8a8478', '#5a564d', { size: 3 }),
      { at: [x, 0.06, z], size: s },
    )
  if (close) windowLight(stage, { from: [-3.2, 2, -2.6], size: 2.2, power: 14, room: 0.24 })
  else
    sunlight(stage, { from: [-0.9, 0.8, -0.5], color: '#ffe6bd', power: 2.5, sky: '#c4cfe2', room: 0.5, spread: 0.09 })
  stage.camera = close
    ? { from: [1, 2.3, 3.3], to: [0, 0, -0.35], angle: 32, lens: 0.07, focus: [0.05, 0, -0.2] }
    : { from: [0.1, 5.9, 2.2], to: [0.1, 0, 0.08], angle: 40, lens: 0.03, focus: [0, 0, 0] }
  return photograph(stage, { ...size, paths: 8, bounces: 3 })
}
