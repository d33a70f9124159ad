import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { Segments } from './segments.tsx'

const data = [
  { value: 'grid', label: 'Grid' },
  { value: 'list', label: 'List' },
] as const

function Chosen({ readOnly = false }) {
  const [value, setValue] = useState<'grid' | 'list'>('grid')
  return <Segments aria-label="View" data={data} value={value} onChange={setValue} readOnly={readOnly} />
}

const show = (part: ReactNode) => render(<MantineProvider>{part}</MantineProvider>)

it('is one tab stop, and the arrow keys choose', async () => {
  show(<Chosen />)
  await userEvent.tab()
  expect(screen.getByRole('radio', { name: 'Grid', checked: true })).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('radio', { name: 'List', checked: true })).toHaveFocus()
  await userEvent.tab()
  expect(document.body).toHaveFocus()
})

it('chooses the pressed option, unless it is read-only', async () => {
  const { unmount } = show(<Chosen />)
  await userEvent.click(screen.getByText('List'))
  expect(screen.getByRole('radio', { name: 'List' })).toBeChecked()
  unmount()
  show(<Chosen readOnly />)
  await userEvent.click(screen.getByText('List'))
  expect(screen.getByRole('radio', { name: 'Grid' })).toBeChecked()
})
