import { random } from '../../../server/demo/random.ts'
import type { Image, Size } from '../render/image.ts'
import { fbm, noise } from '../render/noise.ts'
import { Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, mix, scale, smoothstep, type Vector } from '../render/vector.ts'
import { crust, fruit, glaze, linen, matt, metal, planks, plaster, wood } from '../shapes/materials.ts'
import { deform, type Mesh, place } from '../shapes/mesh.ts'
import { box, ground, lathe, sphere, tube, wall } from '../shapes/solids.ts'
import { sunlight, windowLight } from './light.ts'

const plate = (radius: number): Mesh =>
  lathe([
    [0.001, 0.02],
    [radius * 0.55, 0.02],
    [radius * 0.62, 0.035],
    [radius * 0.97, 0.1],
    [radius, 0.115],
    [radius * 0.985, 0.13],
    [radius * 0.62, 0.06],
    [radius * 0.5, 0.045],
    [0.001, 0.045],
  ])

const bowl = (radius: number, deep: number): Mesh =>
  lathe([
    [0.001, 0.03],
    [radius * 0.4, 0.03],
    [radius * 0.42, 0],
    [radius * 0.46, 0],
    [radius * 0.47, 0.05],
    [radius * 0.85, deep * 0.55],
    [radius, deep * 0.97],
    [radius * 0.995, deep],
    [radius * 0.965, deep * 0.98],
    [radius * 0.8, deep * 0.56],
    [radius * 0.35, 0.1],
    [0.001, 0.08],
  ])

/** A cloth that lies in a few soft folds. */
const napkin = (size: number, seed: number, lift = 0.05): Mesh =>
  ground(
    size,
    110,
    (x, z) =>
      0.012 +
      lift *
        (0.5 + 0.5 * fbm(x * 1.1 + seed, z * 1.6, seed, 3)) *
        (0.6 + 0.4 * Math.sin(x * 5 + 2 * noise(x, z, seed))),
  )

/** A round loaf, scored like a leaf. */
function loaf(seed: number): { mesh: Mesh; surface: Surface } {
  const cut = (x: number, z: number) => {
    const main = Math.abs(z - 0.08 * Math.sin(x * 3)) - 0.055 * (1 - (x / 0.85) ** 2)
    let open = smoothstep(0.03, -0.02, main)
    for (const side of [-1, 1])
      for (let k = -2; k <= 2; k++) {
        const px = x - k * 0.26 - 0.1
        const pz = side * z - 0.3
        const along = px * 0.55 + pz * 0.83
        const across = px * 0.83 - pz * 0.55
        open = Math.max(open, smoothstep(0.024, 0.004, Math.abs(across) + Math.max(Math.abs(along) - 0.14, 0)))
      }
    return open * smoothstep(1.02, 0.8, Math.hypot(x, z))
  }
  const mesh = deform(sphere(1, 120), ([x, y, z]) => {
    const bumps = 1 + 0.035 * fbm(x * 2.5, y * 2.5, z * 2.5 + seed, 4)
    const open = y > 0 ? cut(x, z) : 0
    const flat = y < 0 ? 0.32 : 0.62
    const ear = y > 0 ? 0.06 * smoothstep(0.1, 0.02, Math.abs(z + 0.07)) * (1 - Math.abs(x)) : 0
    return [x * bumps, y * flat * bumps - open * 0.035 + ear, z * bumps]
  })
  return { mesh, surface: crust(0.02, 0.85, cut) }
}

/** Bread on a board, flour around it, a cloth and a knife. */
export function bread(size: Size): Image {
  const stage = new Stage()
  const { mesh, surface } = loaf(3)
  stage.add(ground(16, 2), planks('#6b5138', '#3b2a1c', 1.1, 0.2), { turned: [0, 12, 0] })
  stage.add(box([2.9, 0.11, 2.1], 0.05), wood('#c79b66', '#8a5a31', { size: 1.2, polish: 0.2 }), {
    at: [0.05, 0.06, 0],
    turned: [0, -14, 0],
  })
  stage.add(mesh, surface, { at: [0, 0.42, 0], turned: [0, 32, 0] })
  stage.add(napkin(2.4, 5, 0.16), linen('#b9c0bd', { pitch: 0.016 }), { at: [-1.75, 0, -1.1], turned: [0, 38, 0] })
  flour(stage, 7, 420)
  knife(stage, [1.3, 0.14, 0.45], 62)
  stage.add(bowl(0.62, 0.46), glaze('#4c5a5e', '#8f8a7c', '#7a5b43', { edge: 0.3 }), { at: [1.65, 0, -1.5] })
  stage.add(
    ground(1.1, 20, (x, z) => 0.03 * fbm(x * 3, z * 3, 1, 3) - 0.1 * (x * x + z * z)),
    matt('#f1ece2', { soft: 0.1 }),
    { at: [1.65, 0.36, -1.5], size: 0.92 },
  )
  windowLight(stage, { from: [-4.2, 2.4, -2.2], to: [0, 0.3, 0], size: 2.6, power: 13, room: 0.2, color: '#fff0dc' })
  stage.camera = { from: [1.1, 3.1, 4.3], to: [0.02, 0.28, -0.12], angle: 33, lens: 0.09, focus: [0, 0.65, 0.6] }
  return photograph(stage, size)
}

function flour(stage: Stage, seed: number, count: number): void {
  const chance = random(seed)
  const white = matt('#f3eee4', { soft: 0.1 })
  const grain = sphere(1, 5)
  for (let index = 0; index < count; index++) {
    const away = 0.8 + 1.6 * chance.between(0, 1) ** 1.6
    const angle = chance.between(0, Math.PI * 2)
    const radius = 0.006 + 0.016 * chance.between(0, 1) ** 3
    const x = Math.cos(angle) * away
    const z = Math.sin(angle) * away * 0.9
    const onBoard = Math.abs(x) < 1.3 && Math.abs(z) < 0.9
    stage.add(grain, white, { at: [x, onBoard ? 0.12 : 0.004, z], size: radius })
  }
}

/** A knife that lies on its side. @param angle where its tip is, in degrees against the clock from the right. */
function knife(stage: Stage, at: Vector, angle: number): void {
  const blade = deform(box([1.5, 0.26, 0.03], 0.012), ([x, y, z]) => {
    const point = smoothstep(0.1, 0.75, x)
    return [x, y * (1 - 0.75 * point) - 0.1 * point, z * (1 - 0.5 * smoothstep(-0.1, 0.13, -y))]
  })
  const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
  stage.add(blade, metal('#c9ccd0', 0.22, 0.001), { at, turned: [90, angle, 0] })
  const grip: Vector = [at[0] - c * 1.15, at[1], at[2] + s * 1.15]
  stage.add(box([0.85, 0.2, 0.11], 0.05), wood('#4a3122', '#22140d', { size: 2, polish: 0.5 }), {
    at: grip,
    turned: [90, angle, 0],
  })
}

/** Roasted carrots over a swirl of labneh, herbs, and a plum or two. */
export function carrots(size: Size): Image {
  const stage = new Stage()
  const chance = random(11)
  stage.add(ground(14, 2), plaster('#7c8a86', 1.4))
  stage.add(napkin(3.2, 2, 0.07), linen('#d8cfbe', { pitch: 0.018 }), { at: [-1.3, 0, 0.9], turned: [0, 24, 0] })
  stage.add(plate(1.45), glaze('#efe8da', '#dcd2bf', '#8b6a4d', { edge: -1, speckle: 1.3, gloss: 0.7 }))
  const swirl: Surface = { color: hex('#f4efe4'), rough: 0.35, coat: 0.7, soft: 0.25 }
  stage.add(
    ground(2.2, 130, (x, z) => {
      const r = Math.hypot(x, z)
      const spiral = Math.sin(Math.atan2(z, x) * 1 + r * 13 + 0.8 * fbm(x * 2, z * 2, 3, 3))
      return (
        (0.14 + 0.035 * spiral * smoothstep(0, 0.2, r)) * smoothstep(1.06, 0.85, r + 0.07 * fbm(x * 3, z * 3, 8, 3)) -
        0.02
      )
    }),
    swirl,
    { at: [0, 0.035, 0] },
  )
  const carrot = carrotMesh()
  const roast: Surface = {
    color: ({ x, y, z }) => {
      const burnt = smoothstep(0.1, 0.65, fbm(x * 1.6, y * 4, z * 4, 4) + 0.22 * Math.abs(x) + 0.1)
      return mix(scale(hex('#e06a12'), 0.9 + 0.25 * noise(x * 30, y * 4, z * 4)), hex('#571b06'), burnt * 0.85)
    },
    rough: 0.34,
    coat: 1.1,
    soft: 0.18,
    relief: (x, y, z) => 0.006 * noise(x * 34, y * 7, z * 7),
  }
  for (let index = 0; index < 8; index++)
    stage.add(carrot, roast, {
      at: [chance.between(-0.16, 0.16), 0.24 + index * 0.012, -0.62 + index * 0.175],
      turned: [chance.between(-40, 40), chance.between(-24, 24) + (index % 2) * 180, chance.between(-3, 3)],
      size: chance.between(0.86, 1.08),
    })
  herbs(stage, 5, 46, 0.75, 0.36)
  seeds(stage, 9, 130, 1.05, 0.2)
  for (const [x, z, s] of [
    [1.72, -1.25, 0.36],
    [2.2, -0.72, 0.33],
    [1.95, 1.35, 0.34],
  ])
    stage.add(plumMesh(), fruit('#3b1838', '#8b2644', { gloss: 0.6, bloom: 0.45 }), {
      at: [x, s * 0.95, z],
      size: s,
      turned: [20 * x, 60 * z, 15],
    })
  windowLight(stage, { from: [-3.4, 3.2, -2.8], size: 2.4, power: 13, room: 0.22 })
  stage.camera = { from: [0.2, 5.2, 2.6], to: [0.12, 0.1, 0.05], angle: 38, lens: 0.07, focus: [0, 0.35, 0.3] }
  return photograph(stage, size)
}

const carrotMesh = (): Mesh =>
  deform(
    tube(
      [
        [-1, 0, 0],
        [-0.6, 0.02, 0.03],
        [-0.1, 0, 0],
        [0.5, 0.03, -0.02],
        [1.02, 0, 0.05],
      ],
      (s) => 0.155 * (1 - s * 0.82) * smoothstep(-0.02, 0.05, s) * smoothstep(1.01, 0.96, s) + 0.001,
      { parts: 28, steps: 12 },
    ),
    ([x, y, z], n) => {
      const ring = 0.006 * noise(x * 16, 1) + 0.012 * fbm(x * 3, y * 3, z * 3, 3)
      return [x + n[0] * ring, y + n[1] * ring, z + n[2] * ring]
    },
  )

const plumMesh = (): Mesh =>
  deform(sphere(1, 60), ([x, y, z]) => {
    const groove = 0.07 * Math.exp(-((z / 0.14) ** 2)) * smoothstep(-0.2, 0.6, x)
    const dip = 0.16 * Math.exp(-(x * x + z * z) / 0.05) * smoothstep(0, 0.6, y)
    return [x * (0.94 - groove), y * (1.02 - dip), z * 0.94]
  })

function leafMesh(long: number, wide: number, curl: number): Mesh {
  return place(
    deform(ground(1, 14), ([x, , z]) => {
      const share = x + 0.5
      const breadth = Math.sin(Math.PI * share ** 0.8) * wide
      return [share * long, curl * (4 * z * z * breadth + share * share * 0.5), z * 2 * breadth]
    }),
    {},
  )
}

function herbs(stage: Stage, seed: number, count: number, spread: number, height: number): void {
  const chance = random(seed)
  const green: Surface = {
    color: ({ x, z }) => mix(hex('#2f5a1e'), hex('#7fa33d'), 0.4 + 0.5 * noise(x * 9, z * 9)),
    rough: 0.6,
    coat: 0.6,
    soft: 0.2,
  }
  for (let index = 0; index < count; index++) {
    const leaf = leafMesh(chance.between(0.09, 0.2), chance.between(0.03, 0.055), chance.between(-0.12, 0.16))
    stage.add(leaf, green, {
      at: [chance.between(-spread, spread), height + chance.between(0, 0.07), chance.between(-spread, spread) * 0.9],
      turned: [chance.between(-35, 35), chance.between(0, 360), chance.between(-30, 30)],
    })
  }
}

function seeds(stage: Stage, seed: number, count: number, spread: number, height: number): void {
  const chance = random(seed)
  const kinds = [
    matt('#e9d9b0', { coat: 0.6 }),
    matt('#3a2a1c', { coat: 0.6 }),
    matt('#a8331c', { coat: 0.8, rough: 0.4 }),
  ]
  const grain = deform(sphere(1, 8), ([x, y, z]) => [x * 1.6, y * 0.7, z])
  for (let index = 0; index < count; index++) {
    const [angle, away] = [chance.between(0, 6.3), spread * Math.sqrt(chance.between(0, 1))]
    stage.add(grain, kinds[chance.whole(0, 2)], {
      at: [Math.cos(angle) * away, height + chance.between(-0.02, 0.12), Math.sin(angle) * away],
      size: chance.between(0.011, 0.019),
      turned: [chance.between(0, 180), chance.between(0, 360), 0],
    })
  }
}

/** Soup for one: a spoon, oil in drops, and bread at the edge. */
export function soup(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(14, 2), planks('#8f7a62', '#594634', 1.2, 0.22), { turned: [0, 84, 0] })
  stage.add(napkin(2.6, 8, 0.1), linen('#3f5566', { pitch: 0.016 }), { at: [-1.2, 0, 0.75], turned: [0, -20, 0] })
  stage.add(bowl(1.05, 0.62), glaze('#d9d2c2', '#b9ab93', '#7a5a41', { edge: 0.4, gloss: 0.8 }))
  const surface: Surface = {
    color: ({ x, z }) => {
      const cream =
        smoothstep(0.06, 0.02, Math.abs(Math.hypot(x + 0.1, z) - 0.42 - 0.09 * fbm(x * 2.2, z * 2.2, 4, 3))) *
        smoothstep(-0.6, 0.4, fbm(x * 2, z * 2, 9, 2) + 0.3)
      return mix(scale(hex('#c9571c'), 0.92 + 0.2 * fbm(x * 7, z * 7, 2, 4)), hex('#f2e6cf'), cream * 0.85)
    },
    rough: 0.18,
    coat: 1,
    soft: 0.2,
    relief: (x, _y, z) => 0.008 * fbm(x * 6, z * 6, 5, 3),
    reliefStep: 0.01,
  }
  stage.add(
    lathe(
      [
        [0.9, 0.42],
        [0.4, 0.425],
        [0.001, 0.425],
      ],
      64,
      2,
    ),
    surface,
  )
  herbs(stage, 4, 20, 0.4, 0.44)
  seeds(stage, 6, 40, 0.6, 0.44)
  const oil: Surface = { color: hex('#d8a520'), rough: 0.06, coat: 1.3 }
  const chance = random(2)
  for (let drop = 0; drop < 16; drop++)
    stage.add(
      deform(sphere(1, 14), ([x, y, z]) => [x, y * 0.25, z]),
      oil,
      { at: [chance.between(-0.55, 0.55), 0.43, chance.between(-0.5, 0.5)], size: chance.between(0.02, 0.05) },
    )
  spoon(stage, [1.55, 0.07, 0.3], 82)
  const { mesh, surface: baked } = loaf(9)
  stage.add(mesh, baked, { at: [1.5, 0.34, -1.9], size: 0.85, turned: [0, 70, 0] })
  windowLight(stage, { from: [-3.6, 2.6, -2.4], size: 2.4, power: 13, room: 0.2 })
  stage.camera = { from: [0.5, 3.6, 3.7], to: [0.1, 0.2, -0.15], angle: 34, lens: 0.08, focus: [0, 0.45, 0.25] }
  return photograph(stage, size)
}

function spoon(stage: Stage, at: Vector, angle: number): void {
  const silver = metal('#d6d2c8', 0.16, 0.0008)
  const cup = deform(sphere(0.3, 32), ([x, y, z]) => [x * 1.25, (y > 0 ? -y * 0.22 : y * 0.34) + 0.07, z * 0.85])
  stage.add(cup, silver, { at, turned: [0, angle, 0] })
  const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
  const point = (along: number, up: number): Vector => [at[0] + c * along, at[1] + up, at[2] - s * along]
  stage.add(
    tube([point(0.33, 0.05), point(0.6, 0.12), point(1.1, 0.08), point(1.75, 0.03)], (share) => 0.035 + 0.035 * share, {
      parts: 12,
    }),
    silver,
  )
}

/** Lemons, eggs, and a jug against a wall in the morning. */
export function stillLife(size: Size): Image {
  const stage = new Stage()
  const chance = random(21)
  stage.add(ground(14, 2), linen('#c9bda6', { pitch: 0.03 }))
  stage.add(wall(16, 8), plaster('#a79a86', 0.9), { at: [0, 0, -2.2] })
  const jug = lathe([
    [0.001, 0.02],
    [0.42, 0],
    [0.5, 0.06],
    [0.66, 0.5],
    [0.62, 0.95],
    [0.36, 1.4],
    [0.3, 1.62],
    [0.37, 1.85],
    [0.345, 1.86],
    [0.28, 1.62],
    [0.3, 1.4],
  ])
  const blue = glaze('#dfe3e0', '#56708a', '#8a6a4f', { edge: 0.85, run: 0.25, gloss: 0.88 })
  stage.add(jug, blue, { at: [-0.75, 0, -0.7], size: 1.12 })
  stage.add(
    tube(
      [
        [0.32, 1.6, 0],
        [0.68, 1.5, 0],
        [0.74, 1.1, 0],
        [0.6, 0.8, 0],
      ],
      0.055,
      { parts: 14 },
    ),
    blue,
    { at: [-0.78, 0, -0.7], size: 1.12, turned: [0, 25, 0] },
  )
  const lemon = deform(sphere(1, 64), ([x, y, z]) => [x * (1 + 0.22 * Math.abs(x) ** 6), y * 0.82, z * 0.82])
  const peel: Surface = {
    ...fruit('#d9a514', '#e6bd22', { gloss: 0.62 }),
    relief: (x, y, z) => 0.012 * noise(x * 16, y * 16, z * 16),
    reliefStep: 0.01,
  }
  for (const [x, y, z, a] of [
    [0.55, 0.33, 0.35, 20],
    [1.25, 0.33, -0.15, 75],
    [0.9, 0.88, 0.05, -30],
  ])
    stage.add(lemon, peel, { at: [x, y, z], size: 0.4, turned: [chance.between(-40, 40), a, 8] })
  const egg = deform(sphere(1, 48), ([x, y, z]) => [x * (0.78 - 0.09 * y), y, z * (0.78 - 0.09 * y)])
  for (const [x, z, a] of [
    [-0.15, 0.75, 40],
    [-0.62, 0.55, -70],
    [-1.55, 0.25, 15],
  ])
    stage.add(
      egg,
      { color: hex(x > -1 ? '#d9b48f' : '#efe3d2'), rough: 0.55, coat: 0.5, soft: 0.15 },
      { at: [x, 0.25, z], size: 0.32, turned: [88, a, 0] },
    )
  windowLight(stage, { from: [-4, 2.6, 0.9], to: [0, 0.6, 0], size: 2.2, power: 14, room: 0.16 })
  stage.camera = { from: [0.1, 1.7, 6], to: [0.05, 0.74, 0], angle: 28, lens: 0.09, focus: [0.4, 0.5, 0.4] }
  return photograph(stage, size)
}

/** Plates for three, seen from above, in hard noon light. */
export function table(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(24, 2), planks('#b58a5c', '#7d5531', 1.3, 0.25))
  const chance = random(31)
  const wares = ['#efe8da', '#c9d1cc', '#e4d3bb', '#55646c']
  for (const [index, [x, z, r]] of [
    [-3.3, -0.4, 1.15],
    [-0.7, 0.5, 1.35],
    [2.1, -0.6, 1.2],
    [4.4, 0.7, 1.0],
  ].entries()) {
    stage.add(plate(r), glaze(wares[index], wares[index], '#8b6a4d', { edge: -1, gloss: 0.7 }), { at: [x, 0, z] })
    for (let bite = 0; bite < 7; bite++) {
      const [a, d] = [chance.between(0, 6.3), chance.between(0, r * 0.42)]
      const kind = [
        fruit('#b3261e', '#e0502a'),
        fruit('#5d7a22', '#9bb13c'),
        fruit('#d9a514', '#e6bd22'),
        fruit('#3b1838', '#8b2644', { bloom: 0.3 }),
      ][chance.whole(0, 3)]
      stage.add(plumMesh(), kind, {
        at: [x + Math.cos(a) * d, 0.2, z + Math.sin(a) * d],
        size: chance.between(0.13, 0.24),
        turned: [chance.between(0, 180), chance.between(0, 360), 0],
      })
    }
  }
  for (const [x, z, w] of [
    [-4.9, 0.9, 1.8],
    [0.9, 1.5, 1.6],
    [3.6, -1.4, 1.9],
  ])
    stage.add(napkin(w, x, 0.06), linen('#dcd6ca', { pitch: 0.02 }), { at: [x, 0, z], turned: [0, x * 31, 0] })
  spoon(stage, [0.95, 0.07, 0.2], -86)
  spoon(stage, [-1.95, 0.07, -0.9], 88)
  const { mesh, surface } = loaf(4)
  stage.add(mesh, surface, { at: [-5.6, 0.34, -0.8], size: 0.95 })
  herbs(stage, 8, 60, 3.4, 0.24)
  sunlight(stage, { from: [-0.7, 0.9, -0.55], power: 3.6, sky: '#b8c8de', room: 0.42, spread: 0.05 })
  stage.camera = { from: [0, 6.6, 1.9], to: [0, 0, 0.1], angle: 27, lens: 0.05, focus: [0, 0.2, 0.1] }
  return photograph(stage, size)
}
