import { z } from 'zod'
import { frameMargins } from './captions.ts'

export const logoCorners = ['top_left', 'top_right', 'bottom_left', 'bottom_right'] as const
export type LogoCorner = (typeof logoCorners)[number]

/** What a brand says of clips, beside its files. Null: as in clips without a brand. */
export const brandLook = z.object({
  colour: z.string().nullable(),
  highlightColour: z.string().nullable(),
  boxColour: z.string().nullable(),
  margins: frameMargins.nullable(),
  logoCorner: z.enum(logoCorners),
  /** A part of the picture's width. */
  logoWidth: z.number(),
})

export type BrandLook = z.output<typeof brandLook>

/** An upload of an account, as a file on this machine. */
export interface UploadedFile {
  readonly uploadId: string
  readonly path: string
}

/** A brand whose files can be read. */
export interface OpenBrand {
  readonly id: string
  readonly name: string
  readonly look: BrandLook
  readonly font: UploadedFile | null
  readonly logo: UploadedFile | null
}
