import { random } from '../../../server/demo/random.ts'
import type { Image, Size } from '../render/image.ts'
import { fbm } from '../render/noise.ts'
import { Stage } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, scale, smoothstep, type Vector } from '../render/vector.ts'
import { concrete, matt, metal, planks, plaster, wood } from '../shapes/materials.ts'
import { deform, type Mesh, sheet } from '../shapes/mesh.ts'
import { box, ground, lathe, sphere, tube, wall } from '../shapes/solids.ts'
import { sunlight, windowLight } from './light.ts'

const oak = (seed = 0) => wood('#cda26b', '#8a5a2e', { size: 1, polish: 0.35, seed })
const walnut = (seed = 0) => wood('#7a5233', '#3a2214', { size: 1, polish: 0.45, seed })
const ash = (seed = 0) => wood('#e2c79a', '#b08a57', { size: 1.1, polish: 0.3, seed })

/** Thin ribbons that a plane has just taken off. */
function shavings(stage: Stage, seed: number, count: number, spread: number, at: Vector): void {
  const chance = random(seed)
  for (let index = 0; index < count; index++) {
    const turns = chance.between(1.2, 3.2)
    const radius = chance.between(0.06, 0.16)
    const wide = chance.between(0.12, 0.3)
    const ribbon = sheet(
      (u, v) => {
        const angle = u * turns * Math.PI * 2
        const r = radius * (0.45 + 0.55 * u)
        return [Math.cos(angle) * r, Math.sin(angle) * r + radius, (v - 0.5) * wide + u * 0.3]
      },
      70,
      3,
    )
    stage.add(
      ribbon,
      { ...ash(index), soft: 0.3 },
      {
        at: [at[0] + chance.between(-spread, spread), at[1], at[2] + chance.between(-spread, spread) * 0.7],
        turned: [chance.between(-20, 20), chance.between(0, 360), chance.between(-10, 10)],
      },
    )
  }
}

/** Dovetails, half driven home. */
export function joint(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(18, 2), planks('#9c7a55', '#5f4329', 1.5, 0.25), { turned: [0, 90, 0] })
  // Tails on a walnut side, pins on an oak front that stands a finger's breadth away.
  stage.add(box([3.4, 1.7, 0.34], 0.012), walnut(2), { at: [-1.95, 0.86, 0], turned: [0, 0, 0] })
  for (let tail = 0; tail < 4; tail++) {
    const y = 0.25 + tail * 0.41
    const shape = deform(box([0.38, 0.24, 0.34], 0.008), ([px, py, pz]) => [px, py * (1 + 0.4 * (px + 0.19)), pz])
    stage.add(shape, walnut(2), { at: [-0.07, y, 0] })
  }
  for (let pin = 0; pin < 5; pin++) {
    const y = 0.045 + pin * 0.41
    const tall = pin === 0 || pin === 4 ? 0.09 : 0.15
    const shape = deform(box([0.34, tall, 0.36], 0.008), ([px, py, pz]) => [px, py * (1 - 0.5 * px), pz])
    stage.add(shape, oak(5), { at: [0.46, y, 0] })
  }
  stage.add(box([0.34, 1.74, 3.2], 0.012), oak(5), { at: [0.8, 0.87, 0], turned: [0, 0, 0] })
  shavings(stage, 3, 9, 1.2, [0.3, 0.01, 1.3])
  pencil(stage, [-1.3, 0.06, 1.15], 20)
  windowLight(stage, { from: [-3.4, 3.4, 2.6], to: [0, 0.6, 0], size: 2.2, power: 15, room: 0.16, color: '#fff0d9' })
  stage.camera = { from: [-1.5, 2.5, 4.1], to: [0.02, 0.75, 0.05], angle: 31, lens: 0.09, focus: [0, 0.9, 0.25] }
  return photograph(stage, size)
}

function pencil(stage: Stage, at: Vector, angle: number): void {
  const body = lathe(
    [
      [0.055, 0],
      [0.055, 0],
      [0.055, 1.7],
      [0.055, 1.7],
      [0.05, 1.72],
      [0.012, 1.98],
      [0.001, 2],
    ],
    6,
    3,
  )
  stage.add(
    body,
    {
      color: ({ y }) => (y > 1.95 ? [0.02, 0.02, 0.02] : y > 1.72 ? hex('#d9b98a') : hex('#b3271e')),
      rough: 0.35,
      coat: 0.9,
    },
    { at, turned: [90, angle, 0] },
  )
}

/** A stool in an empty workshop, in the last sun. */
export function stool(size: Size, { three = false } = {}): Image {
  const stage = new Stage()
  stage.add(ground(30, 2), concrete('#8f8a82', { size: 0.6 }))
  stage.add(wall(30, 14), plaster('#b3a797', 0.5), { at: [0, 0, -3.4] })
  seat(stage, [-0.1, 0, 0], 1, walnut(1), oak(2))
  if (three) {
    seat(stage, [2.6, 0, -1.3], 1.25, oak(3), oak(4))
    seat(stage, [-2.8, 0, -1], 0.8, ash(4), walnut(6))
  }
  sunlight(stage, { from: [-1.35, 0.55, 0.72], color: '#ffc98a', power: 3.5, sky: '#8ea6cf', room: 0.32, spread: 0.03 })
  // The shadow of a window's bars falls on the wall.
  const bars = matt('#20201f')
  for (const x of [-1.3, 0, 1.3]) stage.add(box([0.09, 6, 0.09], 0.02), bars, { at: [-7 + x * 0.9, 3.6, 3.6 + x] })
  for (const y of [2.2, 3.5, 4.8]) stage.add(box([0.09, 0.09, 5], 0.02), bars, { at: [-7, y, 3.6], turned: [0, 42, 0] })
  stage.add(box([9, 3, 0.1], 0.02), bars, { at: [-7, 7, 3.6], turned: [0, -48, 0] })
  stage.camera = { from: [0.6, 1.9, 8.2], to: [0.1, 1.05, 0], angle: 31, lens: 0.07, focus: [0, 1.2, 0.4] }
  return photograph(stage, size)
}

function seat(stage: Stage, at: Vector, tall: number, top: ReturnType<typeof oak>, legs: ReturnType<typeof oak>): void {
  const round = deform(
    lathe(
      [
        [0.001, -0.09],
        [0.7, -0.08],
        [0.86, 0],
        [0.82, 0.09],
        [0.6, 0.05],
        [0.001, 0.02],
      ],
      96,
    ),
    ([x, y, z]) => [x * 1.08, y, z * 0.94],
  )
  stage.add(round, top, { at: [at[0], at[1] + 1.62 * tall, at[2]], turned: [0, 24, 0] })
  const corners: [number, number][] = [
    [-1, 1],
    [1, 1],
    [1, -1],
    [-1, -1],
  ]
  for (const [sx, sz] of corners)
    stage.add(
      tube(
        [
          [at[0] + sx * 0.42, at[1] + 1.58 * tall, at[2] + sz * 0.36],
          [at[0] + sx * 0.56, at[1] + 0.8 * tall, at[2] + sz * 0.48],
          [at[0] + sx * 0.72, at[1], at[2] + sz * 0.62],
        ],
        (s) => 0.06 + 0.035 * Math.sin(s * Math.PI),
        { parts: 20 },
      ),
      legs,
    )
  for (const [a, b] of [
    [0, 1],
    [2, 3],
  ]) {
    const [p, q] = [corners[a], corners[b]]
    stage.add(
      tube(
        [
          [at[0] + p[0] * 0.62, at[1] + 0.55 * tall, at[2] + p[1] * 0.54],
          [at[0] + q[0] * 0.62, at[1] + 0.55 * tall, at[2] + q[1] * 0.54],
        ],
        0.045,
        { parts: 14 },
      ),
      legs,
    )
  }
  stage.add(
    tube(
      [
        [at[0], at[1] + 0.55 * tall, at[2] + 0.54],
        [at[0], at[1] + 0.55 * tall, at[2] - 0.54],
      ],
      0.045,
      { parts: 14 },
    ),
    legs,
  )
}

/** A plane on a board among its shavings. */
export function plane(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(18, 2), planks('#a5835c', '#6a4a2d', 1.7, 0.25), { turned: [0, 4, 0] })
  stage.add(box([6.5, 0.35, 1.3], 0.02), ash(7), { at: [0, 0.18, 0], turned: [0, 6, 0] })
  const body = deform(box([2.1, 0.5, 0.6], 0.06), ([x, y, z]) => [
    x,
    y + (y > 0 ? 0.09 * Math.sin(x * 2.2) : 0),
    z * (1 - 0.12 * x * x),
  ])
  stage.add(body, walnut(3), { at: [0.25, 0.61, -0.02], turned: [0, 6, 0] })
  stage.add(
    deform(box([0.95, 0.05, 0.42], 0.02), (p) => p),
    metal('#a9acb0', 0.28, 0.001),
    { at: [0.12, 1.05, -0.02], turned: [0, 6, 48] },
  )
  stage.add(
    deform(sphere(0.26, 40), ([x, y, z]) => [x, y * 1.15, z]),
    walnut(8),
    { at: [-0.62, 0.98, 0.06] },
  )
  stage.add(
    tube(
      [
        [0.9, 0.85, -0.1],
        [1.02, 1.25, -0.1],
        [0.92, 1.5, -0.1],
      ],
      (s) => 0.15 - 0.03 * Math.sin(s * 3),
      { parts: 24 },
    ),
    walnut(9),
  )
  shavings(stage, 12, 26, 1.5, [-1.3, 0.36, 0.5])
  shavings(stage, 15, 10, 0.5, [0.05, 1, 0])
  windowLight(stage, { from: [-3.2, 3, -3], to: [0, 0.5, 0], size: 2.4, power: 15, room: 0.16, color: '#ffeccd' })
  stage.camera = { from: [-1.7, 2.3, 4.2], to: [0, 0.62, 0], angle: 31, lens: 0.1, focus: [-0.35, 0.9, 0.3] }
  return photograph(stage, size)
}

/** Carved spoons in a row, each from another tree. */
export function spoons(size: Size): Image {
  const stage = new Stage()
  stage.add(ground(18, 2), {
    color: ({ x, z }) => scale(hex('#4c5350'), 0.9 + 0.2 * fbm(x, z, 2, 4)),
    rough: 0.9,
    coat: 0.3,
  })
  const chance = random(5)
  for (let index = 0; index < 6; index++) {
    const cup = deform(sphere(1, 60), ([x, y, z]): Vector => {
      const hollow = y > 0 ? -y * 0.75 : y
      return [x * 0.3, hollow * 0.22 + 0.2, z * 0.44]
    })
    const x = -2.2 + index * 0.88
    const kind = [ash, oak, walnut][index % 3](index * 2)
    const turned: Vector = [0, chance.between(-5, 5), 0]
    stage.add(cup, kind, { at: [x, 0, -1.1 + 0.1 * Math.sin(index * 3)], turned })
    const handle = spoonHandle(chance.between(0.85, 1.1))
    stage.add(handle, kind, { at: [x, 0, -1.1 + 0.1 * Math.sin(index * 3)], turned })
  }
  shavings(stage, 6, 6, 1.7, [0.4, 0.01, 1.3])
  sunlight(stage, { from: [-0.9, 0.6, -0.5], color: '#ffdfae', power: 3.3, sky: '#9fb4d8', room: 0.35, spread: 0.05 })
  stage.camera = { from: [0.4, 4.7, 2.3], to: [0, 0.1, -0.05], angle: 35, lens: 0.07, focus: [0, 0.15, -0.3] }
  return photograph(stage, size)
}

const spoonHandle = (long: number): Mesh =>
  deform(
    tube(
      [
        [0, 0.14, 0.34],
        [0, 0.22, 0.7],
        [0.02, 0.2, 1.3],
        [0, 0.1, 2 * long],
      ],
      (s) => 0.075 + 0.03 * smoothstep(0.4, 1, s) - 0.05 * smoothstep(0.97, 1, s),
      { parts: 20 },
    ),
    ([x, y, z]) => [x * 1.15, 0.02 + (y - 0.02) * 0.75, z],
  )
