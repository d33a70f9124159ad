import { random } from '../../../server/demo/random.ts'
import type { Image, Size } from '../render/image.ts'
import { fbm, noise } from '../render/noise.ts'
import { gradientSky, Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { cross, hex, normalize, scale, subtract, type Vector } from '../render/vector.ts'
import { glass, linen, marble, matt, metal, wool } from '../shapes/materials.ts'
import { deform, emptyMesh, type Mesh, pushPoint, sheet } from '../shapes/mesh.ts'
import { ground, lathe, sphere, tube } from '../shapes/solids.ts'

const gold = metal('#f0bd5c', 0.14, 0.0006)
const hammered: Surface = {
  color: hex('#e9b65c'),
  metal: 1,
  rough: 0.17,
  relief: (x, y, z) => 0.02 * noise(x * 9, y * 9, z * 9),
  reliefStep: 0.01,
}
const silver = metal('#dcdcd8', 0.15, 0.0006)

/** A ring around z, flatter inside than outside. */
const ring = (radius: number, thick: number, wide = thick): Mesh =>
  sheet(
    (u, v) => {
      const [a, b] = [u * Math.PI * 2, v * Math.PI * 2]
      const r = radius + Math.cos(b) * thick * (Math.cos(b) < 0 ? 0.5 : 1)
      return [Math.sin(a) * r, Math.cos(a) * r, Math.sin(b) * wide]
    },
    160,
    28,
    true,
  )

/** A cut stone: a table, a crown, and a point below, in flat facets. */
function gem(sides = 8): Mesh {
  const mesh = emptyMesh()
  const at = (r: number, y: number, share: number): Vector => [
    Math.sin(share * Math.PI * 2) * r,
    y,
    Math.cos(share * Math.PI * 2) * r,
  ]
  const facet = (...corners: Vector[]) => {
    const normal = normalize(cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0])))
    const first = mesh.points.length / 3
    for (const corner of corners) pushPoint(mesh, corner, normal, 0, 0)
    for (let index = 1; index < corners.length - 1; index++) mesh.faces.push(first, first + index, first + index + 1)
  }
  for (let side = 0; side < sides; side++) {
    const [a, b, m] = [side / sides, (side + 1) / sides, (side + 0.5) / sides]
    facet([0, 0.34, 0], at(0.55, 0.34, a), at(0.55, 0.34, b))
    facet(at(0.55, 0.34, a), at(0.84, 0.2, m), at(0.55, 0.34, b))
    facet(at(0.55, 0.34, a), at(1, 0, a), at(0.84, 0.2, m))
    facet(at(0.55, 0.34, b), at(0.84, 0.2, m), at(1, 0, b))
    facet(at(1, 0, a), at(1, 0, b), at(0.84, 0.2, m))
    facet(at(1, 0, a), at(0.45, -0.5, m), at(1, 0, b))
    facet(at(0.45, -0.5, m), [0, -0.85, 0], at(0.45, -0.5, m + 1 / sides))
    facet(at(1, 0, b), at(0.45, -0.5, m), at(0.45, -0.5, m + 1 / sides))
  }
  return mesh
}

function studio(stage: Stage, power = 1): void {
  stage.softbox([-3.4, 4, 1.6], [0, 0.3, 0], 2.6, 3.4, scale([1, 0.97, 0.92], 8 * power), false)
  stage.softbox([3.8, 2.4, 2.4], [0, 0.3, 0], 1.2, 3.6, scale([0.85, 0.92, 1], 4 * power), false)
  stage.softbox([0.6, 3, -4], [0, 0.4, 0], 4.4, 1.2, scale([1, 0.92, 0.8], 7 * power), false)
  stage.sky = gradientSky([0.02, 0.02, 0.02], [0.1, 0.095, 0.09], [0.16, 0.17, 0.19], 1)
}

/** A ring with a stone on dark stone. */
export function solitaire(size: Size, { stone = '#2fae7a', back = '#1d2326' } = {}): Image {
  const stage = new Stage()
  stage.add(ground(14, 2), { ...marble(back, '#5b666b', 1.3), rough: 0.2 })
  stage.add(ring(0.74, 0.085, 0.1), gold, { at: [0, 0.8, 0], turned: [0, 24, 0] })
  const cut = gem(8)
  stage.add(cut, glass(stone, 1.85), { at: [0, 1.84, 0], size: 0.34, turned: [12, 24, 6] })
  for (let claw = 0; claw < 4; claw++) {
    const a = ((claw * 90 + 45 + 24) * Math.PI) / 180
    stage.add(
      tube(
        [
          [Math.sin(a) * 0.08, 1.5, Math.cos(a) * 0.08],
          [Math.sin(a) * 0.3, 1.7, Math.cos(a) * 0.3],
          [Math.sin(a) * 0.3, 1.93, Math.cos(a) * 0.3],
        ],
        0.035,
        { parts: 12 },
      ),
      gold,
    )
  }
  const chance = random(4)
  for (let pebble = 0; pebble < 9; pebble++)
    stage.add(gem(8), glass(['#e9f4f2', '#d6ecff'][pebble % 2], 1.8), {
      at: [chance.between(-2.4, 2.2), 0.09, chance.between(-1.6, 1.4)],
      size: chance.between(0.06, 0.13),
      turned: [chance.between(-30, 30), chance.between(0, 360), 0],
    })
  studio(stage)
  stage.camera = { from: [0.9, 1.9, 5.2], to: [0, 0.95, 0], angle: 29, lens: 0.12, focus: [0, 1.5, 0.3] }
  return photograph(stage, { ...size, paths: 9, bounces: 9 })
}

/** Bands, hammered and plain, on linen. */
export function bands(size: Size): Image {
  const stage = new Stage()
  stage.add(
    ground(14, 160, (x, z) => 0.05 * fbm(x * 0.8, z * 1.1, 2, 3) + 0.1 * Math.exp(-(((z - 0.5 * x - 1.2) / 0.3) ** 2))),
    linen('#3b4149', { pitch: 0.022 }),
  )
  const kinds: readonly [number, number, number, Surface, Vector, Vector][] = [
    [0.75, 0.09, 0.16, hammered, [-0.85, 0.17, 0.1], [90, 0, 0]],
    [0.7, 0.07, 0.08, gold, [0.62, 0.12, 0.55], [86, 12, 0]],
    [0.78, 0.1, 0.24, silver, [0.75, 0.86, -0.75], [4, 38, 0]],
    [0.66, 0.06, 0.06, hammered, [-0.5, 0.42, 0.25], [70, 40, 12]],
    [0.72, 0.08, 0.1, silver, [-1.9, 0.14, -1.2], [88, 0, 0]],
  ]
  for (const [radius, thick, wide, surface, at, turned] of kinds)
    stage.add(ring(radius, thick, wide), surface, { at, turned })
  studio(stage, 1.1)
  stage.camera = { from: [0.7, 2.9, 4.4], to: [-0.1, 0.3, -0.05], angle: 31, lens: 0.11, focus: [-0.3, 0.3, 0.5] }
  return photograph(stage, { ...size, paths: 8, bounces: 4 })
}

/** A string of pearls that slides out of a hammered bowl. */
export function pearls(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(14, 2), wool('#5a2436', 0.6))
  stage.add(
    lathe(
      [
        [0.001, 0.05],
        [0.5, 0.06],
        [1.0, 0.35],
        [1.25, 0.72],
        [1.27, 0.76],
        [1.22, 0.75],
        [0.96, 0.4],
        [0.48, 0.12],
        [0.001, 0.1],
      ],
      128,
    ),
    hammered,
    { at: [-0.7, 0, -0.5] },
  )
  const pearl: Surface = {
    color: ({ x, y, z }) => {
      const t = 0.5 + 0.5 * noise(x * 2, y * 2, z * 2)
      return [0.86 - 0.05 * t, 0.8 - 0.02 * t, 0.76 + 0.05 * t]
    },
    rough: 0.16,
    coat: 1.2,
    soft: 0.35,
    sheen: 0.15,
  }
  const bead = sphere(1, 26)
  for (let index = 0; index < 74; index++) {
    const t = index / 73
    const angle = t * 8.2
    const inside = t < 0.42
    const r = inside ? 0.72 - t * 0.5 : 0
    const s = (t - 0.42) / 0.58
    const at: Vector = inside
      ? [-0.7 + Math.cos(angle) * r, 0.42 + 0.35 * t, -0.5 + Math.sin(angle) * r]
      : [
          0.1 + s * 2.0 + 0.12 * Math.sin(s * 9),
          Math.max(0.62 + 0.3 * Math.sin(s * 6) - s * 2.6, 0.105),
          0.1 + 0.9 * Math.sin(s * 4.4) + s * 0.5,
        ]
    stage.add(bead, pearl, { at, size: 0.1 + 0.012 * Math.sin(index * 2.7) })
  }
  studio(stage)
  stage.camera = { from: [0.9, 2.6, 4.6], to: [0.15, 0.35, 0], angle: 32, lens: 0.11, focus: [0.3, 0.3, 0.5] }
  return photograph(stage, { ...size, paths: 8, bounces: 4 })
}

/** Chains that hang before a warm wall, one with a drop. */
export function chains(size: Size): Image {
  const stage = new Stage()
  stage.add(
    sheet((u, v) => [(u - 0.5) * 24, v * 14 - 5, -1.4], 2, 2),
    { color: ({ x, y }) => scale(hex('#a9572f'), 0.9 + 0.12 * fbm(x, y, 3, 4)), rough: 0.8, coat: 0.4 },
  )
  const link = deform(ring(0.1, 0.024, 0.024), ([x, y, z]) => [x * 0.72, y * 1.15, z])
  ;[
    [-1.35, 3.6, gold],
    [0, 2.5, gold],
    [1.5, 3.1, silver],
  ].forEach(([x, depth, surface], number) => {
    const wide = 0.95
    const count = 96
    for (let index = 0; index < count; index++) {
      const t = index / (count - 1)
      const s = t * 2 - 1
      const y = 2.4 - (1 - s * s) * Number(depth) * 0.75
      const slope = Math.atan2(2 * s * Number(depth) * 0.75, wide * 2) * (180 / Math.PI)
      stage.add(link, surface as Surface, {
        at: [Number(x) + s * wide * 0.55, y, 0.1 * number],
        turned: [0, index % 2 ? 90 : 0, slope - 90 * Math.sign(s || 1) * 0 + 90],
      })
    }
    const tip: Vector = [Number(x), 2.4 - Number(depth) * 0.75 - 0.34, 0.1 * number]
    stage.add(
      number === 1
        ? lathe(
            [
              [0.001, -0.3],
              [0.16, -0.18],
              [0.15, 0],
              [0.001, 0.28],
            ],
            40,
          )
        : gem(8),
      number === 1 ? gold : glass(number === 0 ? '#c7385a' : '#8fc7ee', 1.8),
      { at: tip, size: number === 1 ? 1 : 0.22, turned: [0, 20, 0] },
    )
  })
  studio(stage, 1.2)
  stage.camera = { from: [0.3, 0.4, 7.2], to: [0.02, 0.25, 0], angle: 32, lens: 0.08, focus: [0, 0.3, 0.1] }
  return photograph(stage, { ...size, paths: 8, bounces: 4 })
}

/** The bench: a torch's worth of warm light, tools, a ring in wax. */
export function bench(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(16, 2), {
    color: ({ x, z }) => scale(hex('#5a4433'), 0.8 + 0.3 * fbm(x * 2, z * 0.4, 2, 5)),
    rough: 0.6,
    coat: 0.7,
    relief: (x, _y, z) => 0.006 * fbm(x * 9, z * 2, 1, 4),
  })
  for (const [x, z, a, tone] of [
    [-1.6, -0.3, 24, '#7a2a22'],
    [-1.15, 0.2, 17, '#2f4f4a'],
    [1.7, 0.1, -32, '#33302d'],
  ] as const) {
    const [c, s] = [Math.cos((a * Math.PI) / 180), Math.sin((a * Math.PI) / 180)]
    stage.add(
      tube(
        [
          [x - c * 0.9, 0.13, z + s * 0.9],
          [x, 0.14, z],
        ],
        (t) => 0.12 - 0.03 * t,
        { parts: 20 },
      ),
      matt(tone, { rough: 0.35, coat: 1 }),
    )
    stage.add(
      tube(
        [
          [x, 0.14, z],
          [x + c * 0.9, 0.1, z - s * 0.9],
        ],
        (t) => 0.055 * (1 - t * 0.7),
        { parts: 14 },
      ),
      metal('#b9bcc0', 0.25),
    )
  }
  stage.add(
    ring(0.6, 0.1, 0.13),
    { color: hex('#2f7a52'), rough: 0.3, coat: 1, soft: 0.3 },
    { at: [0.25, 0.66, -0.2], turned: [0, -28, 0] },
  )
  stage.add(ring(0.58, 0.08, 0.1), gold, { at: [0.7, 0.12, 0.85], turned: [88, 0, 0] })
  const chance = random(8)
  for (let chip = 0; chip < 120; chip++)
    stage.add(sphere(1, 4), chip % 3 ? gold : silver, {
      at: [chance.between(-2, 2.2), 0.01, chance.between(-1, 1.6)],
      size: chance.between(0.006, 0.018),
    })
  stage.softbox([2.6, 3.4, 1], [0, 0.3, 0], 1.4, 1.4, scale(hex('#ffcf94'), 22), false)
  stage.softbox([-3.4, 2, -2], [0, 0.3, 0], 1.4, 3, scale(hex('#9fc0ff'), 3), false)
  stage.sky = gradientSky([0.02, 0.015, 0.01], [0.05, 0.04, 0.035], [0.05, 0.05, 0.06], 1)
  stage.camera = { from: [0.6, 1.9, 4.3], to: [0.1, 0.3, 0.05], angle: 32, lens: 0.13, focus: [0.3, 0.5, 0.2] }
  return photograph(stage, { ...size, paths: 8, bounces: 4 })
}
