import { expect, it } from 'vitest'
import { passwordLength } from '../../src/accounts/sign-in-options.ts'
import { passwordLength as asked } from '../../web/src/components/password-length.ts'

it('the dashboard asks for passwords of the length that the service accepts', () => {
  expect(asked).toEqual(passwordLength)
})
