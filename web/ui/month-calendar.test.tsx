import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { renderPart } from '../testing/render-route.tsx'
import { signIn } from '../testing/sign-in.ts'
import { MonthCalendar } from './month-calendar.tsx'

function Calendar({ start }: { start?: string }) {
  const [day, setDay] = useState(start)
  return (
    <>
      <MonthCalendar
        label="Days"
        min="2027-01-05"
        max="2027-03-20"
        selected={day}
        onSelect={setDay}
        lookOf={(date) => ({ open: !date.endsWith('3'), note: date === '2027-02-14' ? 'day off' : undefined })}
      />
      <button type="button" onClick={() => setDay('2027-03-02')}>
        Jump
      </button>
    </>
  )
}
const show = async (start?: string) => {
  signIn()
  renderPart(<Calendar {...(start && { start })} />)
  await screen.findByRole('grid')
}
const day = (name: string) => screen.getByRole('button', { name })
const keys = (text: string) => userEvent.keyboard(text)

describe('a month of days to choose from [LOOP-25]', () => {
  it('has one day in the tab order, and the arrow keys move on, also to other months', async () => {
    await show('2027-01-29')
    expect(screen.getAllByRole('button').filter((button) => button.dataset.day && button.tabIndex === 0)).toEqual([
      day('Friday, January 29'),
    ])
    day('Friday, January 29').focus()
    await keys('{ArrowDown}')
    expect(screen.getByRole('grid', { name: 'Days, February 2027' })).toBeVisible()
    expect(day('Friday, February 5')).toHaveFocus()
    await keys('{Home}')
    expect(day('Sunday, January 31')).toHaveFocus()
    await keys('{PageDown}')
    expect(day('Sunday, February 28')).toHaveFocus()
    await keys('{PageDown}{PageDown}')
    expect(day('Saturday, March 20')).toHaveFocus() // the last day
    await keys('{PageUp}{ArrowRight}{Enter}')
    expect(day('Sunday, February 21')).toHaveAttribute('aria-pressed', 'true')
  })

  it.each(['altKey', 'ctrlKey', 'metaKey'])('leaves an arrow with %s to the browser', async (modifier) => {
    await show('2027-01-29')
    const from = day('Friday, January 29')
    from.focus()
    expect(fireEvent.keyDown(from, { key: 'ArrowLeft', [modifier]: true })).toBe(true)
    expect(from).toHaveFocus()
  })

  it('ends at the first and the last day', async () => {
    await show()
    const [back, on] = [day('Previous month'), day('Next month')]
    expect(back).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(back)
    expect(screen.getByRole('grid', { name: 'Days, January 2027' })).toBeVisible()
    expect(day('Monday, January 4')).toHaveAttribute('aria-disabled', 'true')
    on.focus()
    await keys('{Enter}{Enter}')
    expect(on).toHaveAttribute('aria-disabled', 'true')
    expect(on).toHaveFocus()
    await keys('{Enter}')
    expect(within(screen.getByRole('grid', { name: 'Days, March 2027' })).getAllByRole('button')).toHaveLength(31)
  })

  it('says what is special about a day, and leaves one that is taken alone', async () => {
    await show('2027-02-01')
    expect(day('Sunday, February 14, day off')).toBeVisible()
    await userEvent.click(day('Wednesday, February 3'))
    expect(day('Monday, February 1')).toHaveAttribute('aria-pressed', 'true')
  })

  it('follows a day that is chosen elsewhere', async () => {
    await show('2027-01-29')
    await userEvent.click(screen.getByRole('button', { name: 'Jump' }))
    expect(day('Tuesday, March 2')).toHaveAttribute('aria-pressed', 'true')
  })
})
