"use strict";

/*
 * What to set. Each is [name, characters, width or null, style]; what a style leaves out is in
 * `PLAIN`. `lineHeight` is a number of pixels, a percentage of the font size ("150%") or "auto".
 */

const PLAIN = {
  weight: 400,
  size: 16,
  italic: false,
  spacing: 0,
  lineHeight: "auto",
  align: "LEFT",
};

const LONG_LIGHTHOUSE =
  "The lighthouse keeper wrote down the weather every evening at nine, even on nights when nothing " +
  "could be seen from the gallery but fog. Her entries were short: a direction, a force, a remark " +
  "about the lamp. After thirty years the books filled two shelves, and a student who copied them " +
  "out found that storms from the west had come a little earlier each decade, by four days or so, " +
  "which nobody on the island had noticed while it was happening. She asked whether the keeper had " +
  "suspected anything. No, said the keeper, I only ever looked at the one night in front of me.";

const LONG_KITCHEN =
  "Before you begin, weigh the flour twice and the salt once. Warm the milk until a finger can just " +
  "bear it, stir in the yeast, and leave the bowl alone for ten minutes; if there is no foam by then, " +
  "throw it away and open a new packet. Knead on a dry board. The dough is ready when it springs back, " +
  "not when the clock says so. Shape it, cover it, wait an hour, and bake it on the lowest shelf until " +
  "the crust sounds hollow.";

const GREEK =
  "Το πλοίο έφυγε νωρίς το πρωί, πριν ακόμα ανοίξουν τα μαγαζιά στο λιμάνι. Οι ψαράδες μάζευαν τα " +
  "δίχτυα τους και κοίταζαν τον ουρανό, που είχε αρχίσει να καθαρίζει προς τα δυτικά.";

const CYRILLIC =
  "Поезд пришёл на станцию с опозданием на сорок минут, и никто не удивился. На платформе пахло " +
  "дождём и свежим хлебом; дети считали вагоны, а взрослые искали зонты и билеты.";

const PARAGRAPHS = [
  ["label", "Save changes", null, { size: 14, weight: 500 }],
  ["label-bold", "Delete account", null, { size: 15, weight: 700, lineHeight: 20 }],
  ["label-tiny", "Updated 3 min ago", null, { size: 9, lineHeight: 12 }],
  ["label-two-lines", "Monday\n14:30 to 16:00", null, { size: 13, lineHeight: "140%" }],
  ["label-letterspaced", "NEW ARRIVALS", null, { size: 11, weight: 600, spacing: 2, lineHeight: 16 }],
  ["label-that-fits", "Continue", 120, { size: 16, weight: 600, align: "CENTER" }],
  ["headline", "Plan the week in five quiet minutes", 300, { size: 40, weight: 700, lineHeight: 44 }],
  ["headline-thin", "A slower way to read the news", 360, { size: 48, weight: 100, spacing: -0.5 }],
  ["headline-black", "Summer starts here", 280, { size: 48, weight: 900, spacing: -0.5, lineHeight: "100%" }],
  ["headline-center", "Your parcel is on its way to the shop round the corner", 327, {
    size: 24, weight: 600, lineHeight: 32, align: "CENTER",
  }],
  ["subtitle", "Choose up to three topics. You can change them later in the settings.", 280, {
    size: 17, weight: 400, lineHeight: "130%",
  }],
  ["card", "Two rooms, a small kitchen and a balcony that gets the sun until late in the evening.", 210, {
    size: 14, lineHeight: 20,
  }],
  ["card-narrow", "Open daily except on Tuesdays and public holidays", 92, { size: 12, lineHeight: 16 }],
  ["caption-italic", "The old harbour seen from the north, oil on board, about 1910.", 180, {
    size: 12, italic: true, lineHeight: "150%",
  }],
  ["quote-italic", "We never agreed on the map, said the guide, but we always agreed on where to have lunch.", 320, {
    size: 22, italic: true, weight: 300, lineHeight: 31,
  }],
  ["italic-bold", "Please read this before you sign: the offer ends on Friday at noon.", 240, {
    size: 18, italic: true, weight: 700,
  }],
  ["paragraph-auto", LONG_LIGHTHOUSE, 340, { size: 16 }],
  ["paragraph-wide", LONG_LIGHTHOUSE, 600, { size: 15, lineHeight: "160%" }],
  ["paragraph-narrow", LONG_LIGHTHOUSE, 150, { size: 12.5, lineHeight: 17.5 }],
  ["paragraph-justified", LONG_LIGHTHOUSE, 420, { size: 14, lineHeight: 21, align: "JUSTIFIED" }],
  ["recipe", LONG_KITCHEN, 375, { size: 17, weight: 350, lineHeight: 24 }],
  ["recipe-right", LONG_KITCHEN, 260, { size: 13, align: "RIGHT", lineHeight: "auto" }],
  ["recipe-medium", LONG_KITCHEN, 512, { size: 20, weight: 500, spacing: 0.2 }],
  ["recipe-light-tight", LONG_KITCHEN, 333, { size: 15, weight: 200, spacing: -0.3, lineHeight: "120%" }],
  ["long-word", "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz", 160, { size: 16 }],
  ["long-word-after-words", "The village is called Llanfairpwllgwyngyllgogerychwyrndrobwll in full", 150, {
    size: 14, weight: 500, lineHeight: 20,
  }],
  ["long-word-huge", "Incomprehensibilities", 90, { size: 36, weight: 800, lineHeight: 40 }],
  ["narrower-than-words", "extraordinary circumstances everywhere", 60, { size: 15, lineHeight: 18 }],
  ["hyphens", "A well-known, state-of-the-art, easy-to-follow step-by-step guide for first-time sailors", 170, {
    size: 15, lineHeight: 21,
  }],
  ["hyphen-long", "over-the-counter-and-out-of-the-question-but-never-off-the-record", 140, { size: 14 }],
  ["dashes", "The train – late again – left at noon; the ferry—on time, for once—had gone by then.", 200, {
    size: 16, lineHeight: 24,
  }],
  ["slashes", "Arrive by bus/tram/train and/or on foot; pay by card/cash at the desk/kiosk", 165, { size: 14 }],
  ["address", "Write to hello@example.org or see https://example.org/help/getting-started?lang=en for more", 190, {
    size: 13, lineHeight: 18,
  }],
  ["several-spaces", "one  two   three    four     five      six       seven", 130, { size: 16 }],
  ["leading-spaces", "  two spaces lead this line and it goes on until it has to break", 175, { size: 15 }],
  ["spaces-at-the-break", "The end of this line      has six spaces      after it", 150, {
    size: 15, align: "RIGHT", lineHeight: 20,
  }],
  ["newlines", "First floor: maps\nSecond floor: globes and instruments\nThird floor: closed", 180, {
    size: 14, lineHeight: "145%",
  }],
  ["empty-lines", "Dear Ada,\n\nthank you for the seeds. Half of them are up already.\n\n\nYours,\nM.", 200, {
    size: 16, lineHeight: 22,
  }],
  ["starts-with-newline", "\nBelow an empty line", 220, { size: 18 }],
  ["digits", "Invoice 2024-0917: 1,250.00 + 237.50 = 1,487.50, due 30.09.; ref. 00 4711 0815", 160, {
    size: 14, weight: 500, lineHeight: 20,
  }],
  ["prices", "Small $4.50, large $6.00 (10% off before 9:30), refill €1.20 or £1 flat!", 145, { size: 13 }],
  ["punctuation", "“Wait…” she said. ‘Why?’ (No answer.) [A pause] Then: “Fine!” And so on & so forth; etc.", 175, {
    size: 15, lineHeight: "135%",
  }],
  ["percent-and-degrees", "Humidity 85%, 21 °C at dawn, wind 3–4 m/s, visibility >10 km, pressure ±2 hPa", 150, {
    size: 12, weight: 600, lineHeight: 16,
  }],
  ["no-break-spaces", "The next stop is Platform\u00a09\u00a0and\u00a010 in about 12\u00a0minutes from now", 158, {
    size: 16, lineHeight: 22,
  }],
  ["greek", GREEK, 250, { size: 16, lineHeight: "150%" }],
  ["greek-bold", GREEK, 420, { size: 19, weight: 700, lineHeight: 27 }],
  ["cyrillic", CYRILLIC, 300, { size: 15 }],
  ["cyrillic-italic", CYRILLIC, 220, { size: 17, italic: true, lineHeight: 25, spacing: 0.5 }],
  ["accents", "Žluťoučký kůň, façade, naïve, Ærø, Łódź, Kraków, Þingvellir, señor, İzmir, Győr, crème brûlée", 190, {
    size: 16, weight: 450, lineHeight: 23,
  }],
  ["letterspaced-paragraph", "Every letter here stands a little apart from the next, so that fewer of them fit.", 240, {
    size: 14, spacing: 2, lineHeight: 22,
  }],
];
