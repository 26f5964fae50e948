// Exists so that <QtWidgets> is compiled once for all window libraries; see CMakeLists.txt.
