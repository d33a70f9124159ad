import type { Vector } from '../render/vector.ts'
import { emptyMesh, type Mesh } from './mesh.ts'

/** A signed distance: negative inside. */
export type Field = (x: number, y: number, z: number) => number

/**
 * The surface of a field as triangles (surface nets): one point in each cell that the surface crosses, where its crossings are on
 * average. Normals come from the field itself.
 */
export function polygonize(field: Field, low: Vector, high: Vector, cell: number): Mesh {
  const [nx, ny, nz] = [0, 1, 2].map((axis) => Math.ceil((high[axis] - low[axis]) / cell) + 1)
  const values = new Float32Array(nx * ny * nz)
  const index = (i: number, j: number, k: number) => (k * ny + j) * nx + i
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++)
        values[index(i, j, k)] = field(low[0] + i * cell, low[1] + j * cell, low[2] + k * cell)
  const mesh = emptyMesh()
  const vertices = new Int32Array(nx * ny * nz).fill(-1)
  for (let k = 0; k < nz - 1; k++)
    for (let j = 0; j < ny - 1; j++)
      for (let i = 0; i < nx - 1; i++) {
        const point = crossing(values, index(i, j, k), nx, nx * ny)
        if (!point) continue
        vertices[index(i, j, k)] = mesh.points.length / 3
        pushCrossing(
          mesh,
          field,
          low[0] + (i + point[0]) * cell,
          low[1] + (j + point[1]) * cell,
          low[2] + (k + point[2]) * cell,
          cell,
        )
      }
  const steps = [1, nx, nx * ny]
  for (let k = 1; k < nz - 1; k++)
    for (let j = 1; j < ny - 1; j++)
      for (let i = 1; i < nx - 1; i++) {
        const here = index(i, j, k)
        for (let axis = 0; axis < 3; axis++) {
          const inside = values[here] < 0
          if (inside === values[here + steps[axis]] < 0) continue
          const [p, q] = [steps[(axis + 1) % 3], steps[(axis + 2) % 3]]
          const [a, b, c, d] = [vertices[here - p - q], vertices[here - q], vertices[here], vertices[here - p]]
          if (inside) mesh.faces.push(a, b, c, a, c, d)
          else mesh.faces.push(a, c, b, a, d, c)
        }
      }
  return mesh
}

function crossing(values: Float32Array, at: number, row: number, slice: number): Vector | undefined {
  let [x, y, z, count] = [0, 0, 0, 0]
  const corner = (c: number) => values[at + (c & 1) + ((c >> 1) & 1) * row + (c >> 2) * slice]
  for (let c = 0; c < 8; c++)
    for (const bit of [1, 2, 4]) {
      if (c & bit) continue
      const [a, b] = [corner(c), corner(c | bit)]
      if (a < 0 === b < 0) continue
      const share = a / (a - b)
      x += (c & 1) + (bit === 1 ? share : 0)
      y += ((c >> 1) & 1) + (bit === 2 ? share : 0)
      z += (c >> 2) + (bit === 4 ? share : 0)
      count++
    }
  return count === 0 ? undefined : [x / count, y / count, z / count]
}

function pushCrossing(mesh: Mesh, field: Field, x: number, y: number, z: number, cell: number): void {
  const e = cell * 0.5
  const n = [
    field(x + e, y, z) - field(x - e, y, z),
    field(x, y + e, z) - field(x, y - e, z),
    field(x, y, z + e) - field(x, y, z - e),
  ]
  const size = Math.hypot(...n) || 1
  mesh.points.push(x, y, z)
  mesh.rest.push(x, y, z)
  mesh.normals.push(n[0] / size, n[1] / size, n[2] / size)
  mesh.uvs.push(0, 0)
}

/** The union of two fields, with a soft seam of about the width `k`. */
export function blend(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0) / k
  return Math.min(a, b) - (h * h * k) / 4
}

/** The first field without the second, with a soft edge. */
export const carve = (a: number, b: number, k: number): number => -blend(-a, b, k)

export const ball = (x: number, y: number, z: number, r: number): number => Math.sqrt(x * x + y * y + z * z) - r

/** An ellipsoid, nearly a distance. */
export function egg(x: number, y: number, z: number, rx: number, ry: number, rz: number): number {
  const k0 = Math.hypot(x / rx, y / ry, z / rz)
  const k1 = Math.hypot(x / (rx * rx), y / (ry * ry), z / (rz * rz))
  return k1 === 0 ? -Math.min(rx, ry, rz) : (k0 * (k0 - 1)) / k1
}

/** A line with a radius at each end. */
export function limb(x: number, y: number, z: number, a: Vector, b: Vector, ra: number, rb = ra): number {
  const [px, py, pz] = [x - a[0], y - a[1], z - a[2]]
  const [bx, by, bz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const t = Math.min(Math.max((px * bx + py * by + pz * bz) / (bx * bx + by * by + bz * bz), 0), 1)
  return Math.hypot(px - bx * t, py - by * t, pz - bz * t) - (ra + (rb - ra) * t)
}

export function slab(x: number, y: number, z: number, hx: number, hy: number, hz: number, edge = 0): number {
  const [dx, dy, dz] = [Math.abs(x) - hx + edge, Math.abs(y) - hy + edge, Math.abs(z) - hz + edge]
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0)) + Math.min(Math.max(dx, dy, dz), 0) - edge
}
