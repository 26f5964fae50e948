#pragma once

#include <filesystem>
#include <string>

namespace trainyard {

/// The format of a folder that holds a published set of scene text as it is distributed:
///
/// * "iiit5k": `traindata.mat` and `testdata.mat`, structures with ImgName, GroundTruth, smallLexi (50 words) and
///   mediumLexi (1000). Parts `train`, `test` and `test-1k`, the test words with the larger lexicon. Mishra et al.
///   2012.
/// * "tagged-words": an XML file of photos with `taggedRectangles`, each with its `tag`; `lex` has the photo's lexicon.
///   Street View Text (`train.xml`, `test.xml`; Wang et al. 2011) and ICDAR 2003 (`words.xml`).
/// * "image-list": `imagelist.txt` with lines `IMAGE WORD COUNT LEXICON,WITH,COMMAS`. SVT Perspective (Phan et al.
/// 2013)
///   and CUTE80 (Risnumawan et al. 2014) as the ASTER trainer reads them.
/// * "synthtext": `gt.mat` with imnames, wordBB, charBB and txt. Gupta et al. 2016. Words are cut out with a tenth of
///   the root of their area around; a curve through their characters' corners is their outline.
///
/// Synth90k is folder+labels, ICDAR 2013 and 2015 are icdar-photos. Empty where it is none of these.
std::string publishedFormat(const std::filesystem::path& folder);

} // namespace trainyard
