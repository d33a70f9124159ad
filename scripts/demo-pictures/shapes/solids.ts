import { add, cross, lerp, normalize, scale, subtract, type Vector } from '../render/vector.ts'
import { emptyMesh, join, type Mesh, pushPoint, sheet } from './mesh.ts'

const round = Math.PI * 2

export function sphere(radius = 1, parts = 48): Mesh {
  return sheet(
    (u, v) => {
      const angle = u * round
      const tilt = (v - 0.5) * Math.PI
      const ring = Math.cos(tilt) * radius
      return [Math.sin(angle) * ring, Math.sin(tilt) * radius, Math.cos(angle) * ring]
    },
    parts * 2,
    parts,
    true,
  )
}

/** A profile of radius and height, turned on a wheel. The outside is on the right when the profile runs up. */
export function lathe(profile: readonly (readonly [number, number])[], parts = 96, steps = 8): Mesh {
  const curve = smooth(profile, steps)
  return sheet(
    (u, v) => {
      const [radius, height] = along(curve, v)
      return [Math.sin(u * round) * radius, height, Math.cos(u * round) * radius]
    },
    parts,
    curve.length - 1,
    true,
  )
}

/** A Catmull-Rom curve through the points. A point that is given twice is a corner. */
export function smooth(points: readonly (readonly number[])[], steps: number): number[][] {
  const curve: number[][] = []
  for (let index = 0; index < points.length - 1; index++) {
    const [a, b, c, d] = [-1, 0, 1, 2].map((by) => points[Math.min(Math.max(index + by, 0), points.length - 1)])
    for (let step = 0; step < steps; step++) {
      const t = step / steps
      curve.push(
        b.map(
          (value, axis) =>
            0.5 *
            (2 * value +
              (c[axis] - a[axis]) * t +
              (2 * a[axis] - 5 * value + 4 * c[axis] - d[axis]) * t * t +
              (3 * value - a[axis] - 3 * c[axis] + d[axis]) * t * t * t),
        ),
      )
    }
  }
  curve.push([...(points.at(-1) ?? [])])
  return curve
}

function along(curve: readonly number[][], share: number): number[] {
  const place = share * (curve.length - 1)
  const first = Math.min(Math.floor(place), curve.length - 2)
  return curve[first].map((value, axis) => lerp(value, curve[first + 1][axis], place - first))
}

/** A box with round edges, around the origin. */
export function box([width, height, depth]: Vector, edge = 0.02, parts = 6): Mesh {
  const half: Vector = [width / 2, height / 2, depth / 2]
  const inner: Vector = [half[0] - edge, half[1] - edge, half[2] - edge]
  const sides: readonly (readonly [Vector, Vector, Vector])[] = [
    [
      [1, 0, 0],
      [0, 0, -1],
      [0, 1, 0],
    ],
    [
      [-1, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
    ],
    [
      [0, 1, 0],
      [1, 0, 0],
      [0, 0, -1],
    ],
    [
      [0, -1, 0],
      [1, 0, 0],
      [0, 0, 1],
    ],
    [
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ],
    [
      [0, 0, -1],
      [-1, 0, 0],
      [0, 1, 0],
    ],
  ]
  // Close lines at the edges, where the surface is round, and one wide field between them.
  const line = (share: number, size: number, flat: number) => {
    const steps = parts * 2 + 1
    const index = Math.round(share * steps)
    if (index <= parts) return -size + (edge * index) / parts
    return flat + (edge * (index - parts - 1)) / parts
  }
  const size = (axis: Vector) => Math.abs(axis[0]) * half[0] + Math.abs(axis[1]) * half[1] + Math.abs(axis[2]) * half[2]
  const meshes = sides.map(([out, right, up]) => {
    const mesh = emptyMesh()
    const steps = parts * 2 + 1
    for (let j = 0; j <= steps; j++)
      for (let i = 0; i <= steps; i++) {
        const x = line(i / steps, size(right), size(right) - edge)
        const y = line(j / steps, size(up), size(up) - edge)
        const flat = add(scale(out, size(out)), add(scale(right, x), scale(up, y)))
        const core = flat.map((value, axis) => Math.min(Math.max(value, -inner[axis]), inner[axis]))
        const normal = normalize(subtract(flat, [core[0], core[1], core[2]]))
        pushPoint(mesh, add([core[0], core[1], core[2]], scale(normal, edge)), normal, i / steps, j / steps)
      }
    const row = steps + 1
    for (let j = 0; j < steps; j++)
      for (let i = 0; i < steps; i++) {
        const a = j * row + i
        mesh.faces.push(a, a + 1, a + row + 1, a, a + row + 1, a + row)
      }
    return mesh
  })
  return join(...meshes)
}

/** A tube along a curve through the points; `radius` may change along it. */
export function tube(
  points: readonly Vector[],
  radius: number | ((share: number) => number),
  { parts = 16, steps = 8 }: { parts?: number; steps?: number } = {},
): Mesh {
  const curve = smooth(points, steps).map(([x, y, z]): Vector => [x, y, z])
  const size = typeof radius === 'number' ? () => radius : radius
  const frames: { at: Vector; side: Vector; up: Vector }[] = []
  let side: Vector = [1, 0, 0]
  for (let index = 0; index < curve.length; index++) {
    const forward = normalize(subtract(curve[Math.min(index + 1, curve.length - 1)], curve[Math.max(index - 1, 0)]))
    if (index === 0 && Math.abs(forward[0]) > 0.9) side = [0, 0, 1]
    const up = normalize(cross(forward, side))
    side = normalize(cross(up, forward))
    frames.push({ at: curve[index], side, up })
  }
  return sheet(
    (u, v) => {
      const frame = frames[Math.round(v * (frames.length - 1))]
      const r = size(v)
      const [s, c] = [Math.sin(u * round) * r, Math.cos(u * round) * r]
      return add(frame.at, add(scale(frame.side, c), scale(frame.up, s)))
    },
    parts,
    frames.length - 1,
    true,
  )
}

/** A flat or hilly floor around the origin: `height` at x and z. */
export function ground(size: number, parts = 2, height: (x: number, z: number) => number = () => 0): Mesh {
  return sheet(
    (u, v) => {
      const [x, z] = [(u - 0.5) * size, (0.5 - v) * size]
      return [x, height(x, z), z]
    },
    parts,
    parts,
  )
}

/** An upright wall that faces z. */
export function wall(width: number, height: number): Mesh {
  return sheet((u, v) => [(u - 0.5) * width, v * height, 0], 2, 2)
}
