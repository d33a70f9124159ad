import type { Image, Size } from '../render/image.ts'
import { cells, fbm, hash, noise } from '../render/noise.ts'
import { Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, mix, scale, smoothstep, type Vector } from '../render/vector.ts'
import { concrete, matt, plaster, wood } from '../shapes/materials.ts'
import { type Mesh, sheet } from '../shapes/mesh.ts'
import { polygonize, slab } from '../shapes/polygonize.ts'
import { box, ground, lathe, sphere } from '../shapes/solids.ts'
import { sunlight } from './light.ts'

/** A wall along x with round arches: `bay` is the distance of two, `open` half an arch's width. */
function arcade(bays: number, { bay = 2, open = 0.72, spring = 2.1, tall = 4.2, deep = 0.5 } = {}): Mesh {
  const half = (bays * bay) / 2
  const field = (x: number, y: number, z: number) => {
    const wallAt = slab(x, y - tall / 2, z, half, tall / 2, deep / 2, 0.02)
    const px = x - (Math.floor(x / bay) + 0.5) * bay
    const arch = y > spring ? Math.hypot(px, y - spring) - open : Math.abs(px) - open
    const frame = Math.max(Math.abs(arch + 0.0) - 0.1, Math.abs(z) - deep / 2 - 0.04)
    return Math.max(Math.min(wallAt, Math.max(frame, -arch)), -arch)
  }
  return polygonize(field, [-half - 0.1, -0.05, -deep / 2 - 0.12], [half + 0.1, tall + 0.1, deep / 2 + 0.12], 0.055)
}

/** Tiles with a star in each. */
const zellige = (colors: readonly string[], size = 0.5): Surface => {
  const [base, star, line, accent] = colors.map(hex)
  return {
    color: ({ x, y, z }) => {
      const [u, v] = [x / size, (Math.abs(y) > 0.002 ? y : z) / size]
      const [i, j] = [Math.floor(u), Math.floor(v)]
      const [px, py] = [u - i - 0.5, v - j - 0.5]
      const r = Math.hypot(px, py)
      const angle = Math.atan2(py, px)
      const petal = r * (1 + 0.16 * Math.cos(angle * 8))
      const tone = 0.85 + 0.25 * hash(i, j, 2)
      let color = petal < 0.2 ? accent : petal < 0.36 ? star : base
      if (Math.abs(petal - 0.36) < 0.022 || Math.abs(petal - 0.2) < 0.018) color = line
      const grout = Math.max(Math.abs(px), Math.abs(py))
      if (grout > 0.47) color = scale(line, 0.8)
      return scale(color, tone * (0.94 + 0.1 * noise(x * 30, y * 30, z * 30)))
    },
    rough: 0.25,
    coat: 1,
    relief: (x, y, z) => 0.004 * noise(x * 5, y * 5, z * 5),
    reliefStep: 0.01,
  }
}

/** A courtyard with arches on three sides, in half shade. */
export function courtyard(
  size: Size,
  {
    wallColor = '#d9a878',
    tiles = ['#e9dfcc', '#1f5f7a', '#e9dfcc', '#c9622e'],
    sun = [-0.75, 0.85, 0.55] as Vector,
    wide = false,
  } = {},
): Image {
  const stage = new Stage()
  const lime = plaster(wallColor, 0.8)
  stage.add(ground(24, 2), zellige(tiles, 0.72))
  const arches = arcade(5)
  stage.add(arches, lime, { at: [0, 0, -4.2] })
  stage.add(arches, lime, { at: [-5.2, 0, 0.6], turned: [0, 90, 0] })
  stage.add(arches, lime, { at: [5.2, 0, 0.6], turned: [0, -90, 0] })
  // Behind the arches: galleries with a wall, an entrance, and a roof.
  stage.add(box([16, 4.2, 0.3], 0.02), plaster('#b98a62', 0.8), { at: [0, 2.1, -7] })
  stage.add(box([1.3, 2.5, 0.2], 0.02), matt('#2f5d73', { rough: 0.5 }), { at: [0, 1.25, -6.8] })
  for (const x of [-9, 9]) stage.add(box([0.3, 4.2, 16], 0.02), plaster('#b98a62', 0.8), { at: [x * 0.88, 2.1, 0] })
  stage.add(box([18, 0.3, 3.4], 0.03), lime, { at: [0, 4.35, -5.7] })
  for (const x of [-6.9, 6.9]) stage.add(box([3.6, 0.3, 16], 0.03), lime, { at: [x, 4.35, 0.6] })
  stage.add(box([18, 2.4, 0.4], 0.03), lime, { at: [0, 5.6, -4.2] })
  fountain(stage)
  for (const [x, z] of [
    [-3.6, -2.6],
    [3.7, -2.8],
    [3.5, 1.4],
  ])
    tree(stage, x, z)
  sunlight(stage, {
    from: sun,
    color: '#ffe0b0',
    power: 3.5,
    sky: '#7fb2ee',
    room: 0.75,
    ground: '#c99a70',
    spread: 0.02,
  })
  stage.camera = wide
    ? { from: [0.5, 2.1, 6.4], to: [0, 1.9, -2], angle: 30, lens: 0.02, focus: [0, 1.5, -3] }
    : { from: [1.7, 1.7, 5.6], to: [-0.5, 1.95, -2.4], angle: 44, lens: 0.03, focus: [0, 1.5, -2] }
  return photograph(stage, { ...size, paths: 8, bounces: 4 })
}

function fountain(stage: Stage): void {
  const stone = concrete('#cfc2ae', { size: 1.4 })
  stage.add(
    lathe(
      [
        [1.1, 0],
        [1.1, 0.42],
        [1.02, 0.5],
        [0.92, 0.46],
        [0.9, 0.3],
        [0.001, 0.28],
      ],
      8,
      3,
    ),
    stone,
    { at: [0, 0, -0.9] },
  )
  stage.add(
    lathe(
      [
        [0.16, 0.2],
        [0.13, 0.8],
        [0.5, 0.98],
        [0.55, 1.06],
        [0.48, 1.04],
        [0.1, 0.95],
        [0.001, 0.94],
      ],
      64,
    ),
    stone,
    { at: [0, 0, -0.9] },
  )
  stage.add(
    lathe(
      [
        [0.9, 0.4],
        [0.001, 0.4],
      ],
      48,
      2,
    ),
    {
      color: hex('#1c4a50'),
      rough: 0.05,
      coat: 1.2,
      relief: (x, _y, z) => 0.012 * noise(x * 9, z * 9),
      reliefStep: 0.01,
    },
    { at: [0, 0, -0.9] },
  )
}

function tree(stage: Stage, x: number, z: number): void {
  stage.add(
    lathe(
      [
        [0.3, 0],
        [0.42, 0.55],
        [0.46, 0.6],
        [0.4, 0.6],
        [0.38, 0.5],
        [0.001, 0.5],
      ],
      48,
    ),
    matt('#a9532f'),
    { at: [x, 0, z] },
  )
  stage.add(
    lathe(
      [
        [0.06, 0.5],
        [0.05, 1.5],
        [0.04, 1.7],
      ],
      16,
    ),
    matt('#5a4331'),
    { at: [x, 0, z] },
  )
  const leaf: Surface = {
    color: ({ x: a, y, z: b }) =>
      scale(hex('#4d6b2f'), 0.7 + 0.6 * hash(Math.round(a * 50), Math.round(y * 50), Math.round(b * 50))),
    rough: 0.5,
    coat: 0.8,
    soft: 0.2,
  }
  const blade = sheet(
    (u, v) => [(u - 0.5) * 0.09 * Math.sin(Math.PI * v + 0.2), v * 0.26, 0.03 * Math.sin(v * 3)],
    2,
    4,
  )
  for (let index = 0; index < 320; index++) {
    const [a, b, r] = [hash(index, 1, 1) * 6.3, Math.acos(2 * hash(index, 2, 5) - 1), 0.35 + 0.3 * hash(index, 3, 9)]
    stage.add(blade, leaf, {
      at: [x + Math.sin(b) * Math.cos(a) * r, 2 + Math.cos(b) * r * 0.85, z + Math.sin(b) * Math.sin(a) * r],
      turned: [hash(index, 4, 2) * 360, hash(index, 5, 2) * 360, hash(index, 6, 2) * 360],
    })
  }
}

/** A passage: arch behind arch behind arch, each in another light. */
export function passage(
  size: Size,
  { wallColor = '#d3b498', floor = '#bfa88c', sky = '#8fb6e8', sun = [0.95, 0.75, 0.5] as Vector } = {},
): Image {
  const stage = new Stage()
  const lime = plaster(wallColor, 1)
  stage.add(ground(60, 2), { ...concrete(floor, { size: 0.8 }), rough: 0.5, coat: 0.8 })
  const frame = (half: number, spring: number) => {
    const field = (x: number, y: number, z: number) => {
      const arch = y > spring ? Math.hypot(x, y - spring) - half : Math.abs(x) - half
      return Math.max(slab(x, y - 2.5, z, 3.2, 2.5, 0.28, 0.02), -arch)
    }
    return polygonize(field, [-3.3, -0.05, -0.4], [3.3, 5.1, 0.4], 0.06)
  }
  for (let index = 0; index < 6; index++) stage.add(frame(1.25, 2.1), lime, { at: [0, 0, -index * 2.6] })
  stage.add(box([0.3, 5, 18], 0.02), lime, { at: [-3.05, 2.5, -7] })
  // The right side is open: light falls in between the frames.
  stage.add(box([6.4, 0.25, 18], 0.02), lime, { at: [0, 5.1, -7] })
  stage.add(box([9, 7, 0.3], 0.02), plaster('#e7dcc8', 0.8), { at: [0, 3, -19] })
  stage.add(
    lathe(
      [
        [0.5, 0],
        [0.62, 0.7],
        [0.55, 1.1],
        [0.36, 1.2],
        [0.42, 1.3],
        [0.001, 1.2],
      ],
      64,
    ),
    plaster('#8a4a2f', 2),
    { at: [-0.85, 0, -4.6], size: 0.7 },
  )
  sunlight(stage, { from: sun, color: '#ffe6c2', power: 3.6, sky, room: 1, ground: '#c0a98f', spread: 0.02 })
  stage.camera = { from: [0.35, 1.62, 4.6], to: [0, 1.85, -6], angle: 40, lens: 0.02, focus: [0, 1.6, -3] }
  return photograph(stage, { ...size, paths: 8, bounces: 4 })
}

/** Stairs between white walls, a blue entrance, and the sea's light. */
export function stairs(size: Size): Image {
  const stage = new Stage()
  const white = plaster('#efece4', 0.9)
  for (let step = 0; step < 11; step++)
    stage.add(
      box([2.6, 0.3, 0.6], 0.025),
      {
        color: ({ x, y, z }) =>
          y > 0.1 ? scale(hex('#b9b0a2'), 0.9 + 0.16 * cells(x * 2.4, z * 2.4, step).nearest) : hex('#efece4'),
        rough: 0.85,
        coat: 0.4,
      },
      { at: [0, 0.15 + step * 0.26, 1.6 - step * 0.55] },
    )
  const blockAt = (x: number, y: number, z: number, s: Vector, color = white) =>
    stage.add(box(s, 0.07), color, { at: [x, y, z] })
  blockAt(-2.3, 1.6, -1, [2, 5, 8])
  blockAt(2.45, 1.1, 0.6, [2.3, 3.6, 4])
  blockAt(2.9, 3.4, -3.6, [3, 4.6, 4])
  blockAt(0, 4.4, -6.2, [7, 4.2, 2])
  blockAt(-1.16, 1.25, 0.4, [0.35, 1.1, 4], white)
  stage.add(
    box([1.05, 1.9, 0.16], 0.02),
    { ...wood('#2f6fa8', '#1f4f80', { size: 2 }), rough: 0.5 },
    { at: [-0.1, 3.85, -5.2] },
  )
  stage.add(box([0.1, 1.1, 0.8], 0.02), matt('#2f6fa8', { rough: 0.5 }), { at: [1.31, 1.95, 0.9] })
  flowers(stage, [-1.2, 1.85, 1.2])
  flowers(stage, [1.25, 2.95, -0.4])
  for (const [x, y, z, s] of [
    [0.85, 0.62, 0.75, 0.3],
    [-0.75, 1.4, -0.9, 0.36],
  ])
    stage.add(
      lathe(
        [
          [0.5, 0],
          [0.7, 0.9],
          [0.75, 1],
          [0.65, 0.98],
          [0.001, 0.85],
        ],
        48,
      ),
      matt('#b5623a'),
      { at: [x, y, z], size: s },
    )
  stage.add(sphere(2.1, 60), { ...plaster('#2f6fa8', 0.6), rough: 0.5 }, { at: [2.4, 6.2, -8] })
  sunlight(stage, {
    from: [0.55, 0.95, 0.65],
    color: '#fff0d2',
    power: 3.4,
    sky: '#5f9ff0',
    room: 0.95,
    ground: '#d9cbb4',
    spread: 0.02,
  })
  stage.camera = { from: [0.35, 1.5, 6.4], to: [0.05, 2.15, -1], angle: 37, lens: 0.03, focus: [0, 2, -1] }
  return photograph(stage, { ...size, paths: 8, bounces: 4 })
}

function flowers(stage: Stage, at: Vector): void {
  const petal: Surface = {
    color: ({ x, y }) => mix(hex('#d6267c'), hex('#ff6fae'), hash(Math.round(x * 40), Math.round(y * 40), 3)),
    rough: 0.7,
    coat: 0.3,
    soft: 0.3,
  }
  const leaf = matt('#4f7a35')
  const blade = sheet(
    (u, v) => [(u - 0.5) * 0.12 * Math.sin(Math.PI * v + 0.3), v * 0.13, 0.02 * Math.sin(u * 3)],
    2,
    3,
  )
  for (let index = 0; index < 260; index++) {
    const spread = hash(index, 8, 1) ** 0.6
    const a = hash(index, 9, 1) * 6.3
    const hang = -0.75 * hash(index, 7, 3) * spread
    stage.add(blade, index % 3 ? petal : leaf, {
      at: [at[0] + Math.cos(a) * spread * 0.4, at[1] + hang, at[2] + Math.sin(a) * spread * 0.55],
      turned: [hash(index, 1, 7) * 360, hash(index, 2, 7) * 360, 0],
    })
  }
}

/** Roofs and towers of a town in the evening, layer behind layer. */
export function roofs(size: Size): Image {
  const stage = new Stage()
  const tones = ['#e2c4a0', '#d9a77c', '#c98f66', '#ecdcc2', '#d8b48c', '#b97f5c']
  const window0 = (color: string, seed: number): Surface => ({
    color: ({ x, y, z }) => {
      const [u, v] = [Math.abs(z) > 0.45 ? x : z, y]
      const [i, j] = [Math.floor(u * 3.1 + 0.5), Math.floor(v * 2.2)]
      const [px, py] = [u * 3.1 + 0.5 - i - 0.5, v * 2.2 - j - 0.5]
      const isWindow = Math.abs(px) < 0.17 && Math.abs(py) < 0.27
      const base = scale(hex(color), 0.92 + 0.12 * fbm(x * 2 + seed, y * 2, z * 2, 4))
      return isWindow ? (hash(i, j, seed) > 0.72 ? hex('#ffd9a0') : scale(hex('#37424a'), 0.8)) : base
    },
    rough: 0.85,
    coat: 0.4,
  })
  for (let index = 0; index < 190; index++) {
    const row = Math.floor(index / 19)
    const x = (index % 19) * 1.05 - 10 + hash(index, 1, 4) * 0.7
    const z = -row * 1.5 + hash(index, 2, 4)
    const tall = 0.8 + 1.1 * hash(index, 3, 4) + row * 0.16
    const wide = 0.75 + 0.55 * hash(index, 4, 4)
    const rise = row * 0.3
    stage.add(box([wide, tall, 1], 0.015), window0(tones[index % tones.length], index), {
      at: [x, rise + tall / 2, z],
      turned: [0, (hash(index, 5, 4) - 0.5) * 16, 0],
    })
    if (index % 3)
      stage.add(
        sheet((u, v) => [(u - 0.5) * (wide + 0.12), 0.32 * (1 - Math.abs(v - 0.5) * 2) - 0.02, (0.5 - v) * 1.15], 2, 8),
        {
          color: ({ x: a, z: b }) =>
            scale(hex('#a9512f'), 0.8 + 0.25 * Math.sin(a * 60) * 0.4 + 0.2 * noise(a * 7, b * 7)),
          rough: 0.9,
          coat: 0.3,
        },
        { at: [x, rise + tall, z], turned: [0, (hash(index, 5, 4) - 0.5) * 16, 0] },
      )
    if (index % 37 === 11) {
      stage.add(box([0.62, 2.6, 0.62], 0.02), window0('#ead8ba', index), { at: [x, rise + tall + 0.9, z] })
      stage.add(
        lathe(
          [
            [0.46, 0],
            [0.5, 0.1],
            [0.36, 0.42],
            [0.001, 0.8],
          ],
          40,
        ),
        matt('#5f8a86', { rough: 0.5 }),
        { at: [x, rise + tall + 2.2, z] },
      )
    }
  }
  stage.add(ground(80, 2), matt('#8a6a50'))
  sunlight(stage, {
    from: [-1.3, 0.42, 0.35],
    color: '#ffb56b',
    power: 4,
    sky: '#9fb0dc',
    room: 0.6,
    ground: '#a97f60',
    spread: 0.03,
  })
  const under = stage.sky
  stage.sky = (x, y, z) =>
    y > 0
      ? mix(
          mix(hex('#ffc58a'), hex('#8fa6d8'), smoothstep(0, 0.45, y)),
          hex('#f2a07a'),
          0.5 * smoothstep(0.1, 0.6, fbm(x * 3, y * 14, z * 3, 5)),
        )
      : under(x, y, z)
  stage.camera = { from: [0.5, 5.2, 7], to: [0, 3.2, -5], angle: 30, lens: 0.05, focus: [0, 2.5, -3] }
  return photograph(stage, { ...size, paths: 8, bounces: 3 })
}
