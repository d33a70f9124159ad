import { fireEvent, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ProfileAvatar } from './profile-avatar.tsx'

it('has a color and initials only without a picture', () => {
  const { container } = render(<ProfileAvatar name="Ada Lovelace" src="/ada.png" />)
  const avatar = container.firstElementChild as HTMLElement
  const picture = container.querySelector('img') as HTMLElement
  expect(avatar).not.toHaveAttribute('data-tone')
  expect(avatar).not.toHaveAttribute('data-initials')
  fireEvent.error(picture)
  expect(avatar).toHaveAttribute('data-tone')
  expect(avatar).toHaveAttribute('data-initials', 'AL')
})
