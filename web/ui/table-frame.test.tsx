import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { TableFrame } from './table-frame.tsx'

let measure: () => void

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(listener: () => void) {
        measure = listener
      }
      observe() {}
      disconnect() {}
    },
  )
  return () => vi.unstubAllGlobals()
})

it('is a tab stop only while its table overflows it', () => {
  render(
    <TableFrame aria-label="By day">
      <table />
    </TableFrame>,
  )
  const frame = screen.getByRole('region', { name: 'By day' })
  const wide = (table: number, box: number) => {
    Object.defineProperty(screen.getByRole('table'), 'offsetWidth', { value: table, configurable: true })
    Object.defineProperty(frame, 'clientWidth', { value: box, configurable: true })
    act(measure)
  }
  wide(600, 358)
  expect(frame).toHaveAttribute('tabindex', '0')
  expect(frame).not.toHaveAttribute('data-fits')
  wide(600, 700)
  expect(frame).not.toHaveAttribute('tabindex')
  expect(frame).toHaveAttribute('data-fits')
})
